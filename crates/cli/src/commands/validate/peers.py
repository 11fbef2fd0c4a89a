"""Engines with Python interfaces under the cases of `carom validate --peers`: pymunk, Box2D and MuJoCo, where they are found.

A question a line on standard input, an answer a line on standard output; the first line names the engines. The scene is
in plain numbers: see peers.rs beside this file.
"""

import json
import math
import sys

FAR = 50.0


class CannotError(Exception):
    """The engine has no word for what is asked."""


def ask_pymunk(scene):
    import pymunk

    space = pymunk.Space()
    space.gravity = tuple(scene["gravity"])
    bodies = []
    for one in scene["bodies"]:
        (a, b), mass = one["half"], one["mass"]
        kind = pymunk.Body.STATIC if one["fixed"] else pymunk.Body.KINEMATIC if one["driven"] else pymunk.Body.DYNAMIC
        if one["shape"] == "ball":
            moment = pymunk.moment_for_circle(mass, 0, a)
        else:
            moment = pymunk.moment_for_box(mass, (2 * a, 2 * b))
        body = pymunk.Body(mass, moment, kind) if kind == pymunk.Body.DYNAMIC else pymunk.Body(body_type=kind)
        body.position, body.angle = tuple(one["at"]), one["angle"]
        if kind != pymunk.Body.STATIC:
            body.velocity, body.angular_velocity = tuple(one["velocity"]), one["spin"]
        if one["shape"] == "ball":
            shape = pymunk.Circle(body, a)
        elif one["shape"] == "wall":
            # A thick segment whose surface goes through the point.
            ends = [(s * FAR * b - a, -s * FAR * a - b) for s in (-1, 1)]
            shape = pymunk.Segment(body, *ends, 1.0)
        else:
            shape = pymunk.Poly.create_box(body, (2 * a, 2 * b))
        # pymunk multiplies the coefficients of the two shapes.
        shape.friction = math.sqrt(scene["friction"])
        shape.elasticity = math.sqrt(scene["restitution"])
        space.add(body, shape)
        bodies.append(body)

    def look():
        return [[*b.position, b.angle, *b.velocity, b.angular_velocity] for b in bodies]

    frames = [look()]
    for _ in range(scene["steps"]):
        space.step(scene["dt"])
        frames.append(look())
    return frames


def ask_box2d(scene):
    import Box2D as b2

    world = b2.b2World(gravity=tuple(scene["gravity"]), doSleep=False)
    bodies = []
    for one in scene["bodies"]:
        a, b = one["half"]
        if one["shape"] == "ball":
            shape, area = b2.b2CircleShape(radius=a), math.pi * a * a
        elif one["shape"] == "wall":
            shape, area = b2.b2EdgeShape(vertices=[(-FAR * b, FAR * a), (FAR * b, -FAR * a)]), 1.0
        else:
            shape, area = b2.b2PolygonShape(box=(a, b)), 4 * a * b
        # Box2D takes the root of the product of frictions, and the larger restitution.
        fixture = b2.b2FixtureDef(
            shape=shape, density=one["mass"] / area, friction=scene["friction"], restitution=scene["restitution"]
        )
        make = world.CreateStaticBody if one["fixed"] else world.CreateKinematicBody if one["driven"] else world.CreateDynamicBody
        motion = {} if one["fixed"] else {"linearVelocity": tuple(one["velocity"]), "angularVelocity": one["spin"]}
        bodies.append(make(position=tuple(one["at"]), angle=one["angle"], fixtures=fixture, **motion))

    def look():
        return [[*b.position, b.angle, *b.linearVelocity, b.angularVelocity] for b in bodies]

    frames = [look()]
    for _ in range(scene["steps"]):
        world.Step(scene["dt"], 8, 3)
        world.ClearForces()
        frames.append(look())
    return frames


def ask_mujoco(scene):
    import mujoco

    if scene["restitution"] > 0:
        raise CannotError("it has no restitution")
    if any(one["driven"] for one in scene["bodies"]):
        raise CannotError("it moves no body by a script")
    g, parts = scene["gravity"], []
    for k, one in enumerate(scene["bodies"]):
        (x, z), (a, c) = one["at"], one["half"]
        # Counter-clockwise with x to the right and z up is a turn against y.
        half = -0.5 * one["angle"]
        turn = f'quat="{math.cos(half)!r} 0 {math.sin(half)!r} 0"'
        if one["shape"] == "ball":
            geom = f'type="sphere" size="{a!r}"'
        elif one["shape"] == "wall":
            turn, geom = f'zaxis="{a!r} 0 {c!r}"', 'type="plane" size="0 0 1"'
        else:
            deep = max(a, 1.0) if one["shape"] == "bar" else a
            geom = f'type="box" size="{a!r} {deep!r} {c!r}"'
        joint = "" if one["fixed"] else "<freejoint/>"
        parts.append(
            f'<body name="b{k}" pos="{x!r} 0 {z!r}" {turn}>{joint}'
            f'<geom {geom} mass="{one["mass"]!r}" friction="{scene["friction"]!r} 0 0"/></body>'
        )
    text = (
        f'<mujoco><option timestep="{scene["dt"]!r}" gravity="{g[0]!r} 0 {g[1]!r}"/>'
        f"<worldbody>{''.join(parts)}</worldbody></mujoco>"
    )
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    starts = []
    for k, one in enumerate(scene["bodies"]):
        joint = None if one["fixed"] else model.body(f"b{k}").jntadr[0]
        starts.append(None if joint is None else (model.jnt_qposadr[joint], model.jnt_dofadr[joint]))
        if joint is not None:
            vx, vz = one["velocity"]
            at = starts[-1][1]
            data.qvel[at : at + 6] = [vx, 0, vz, 0, -one["spin"], 0]
    mujoco.mj_forward(model, data)

    def look():
        rows = []
        for one, at in zip(scene["bodies"], starts):
            if at is None:
                rows.append([*one["at"], 0.0, 0.0, 0.0, 0.0])
                continue
            # Not xpos: that is of the start of the step.
            x, _, z = data.qpos[at[0] : at[0] + 3]
            v = data.qvel[at[1] : at[1] + 6]
            rows.append([float(x), float(z), 0.0, float(v[0]), float(v[2]), -float(v[4])])
        return rows

    frames = [look()]
    for _ in range(scene["steps"]):
        mujoco.mj_step(model, data)
        frames.append(look())
    return frames


ENGINES = [
    ("pymunk", "pymunk", "planar", ask_pymunk, "its defaults: 10 iterations, collision_slop 0.1 m, collision_bias 0.9^60 a second, no continuous detection, no sleeping; walls are thick segments"),
    ("Box2D", "Box2D", "planar", ask_box2d, "8 velocity and 3 position iterations (its manual), 32-bit numbers, restitution only above 1 m/s, skin of 0.01 m around polygons and edges, slop 0.005 m, continuous detection against what is fixed; sleeping off"),
    ("mujoco", "MuJoCo", "spatial", ask_mujoco, "its defaults: Euler, Newton solver, soft contact (solref 0.02 1, solimp 0.9 0.95 0.001), pyramidal cones, no restitution"),
]


def main():
    found, asked = [], {}
    for module, name, kind, ask, defaults in ENGINES:
        try:
            version = getattr(__import__(module), "__version__", "")
        except Exception:
            continue
        if module == "pymunk":
            version = __import__("pymunk").version
        label = f"{name} {version}".strip()
        asked[label] = ask
        found.append({"name": label, "kind": kind, "defaults": defaults})
    print(json.dumps({"peers": found}), flush=True)
    for line in sys.stdin:
        scene = json.loads(line)
        try:
            answer = {"frames": asked[scene["peer"]](scene)}
        except CannotError as error:
            answer = {"cannot": str(error)}
        except Exception as error:
            answer = {"error": str(error)}
        print(json.dumps(answer), flush=True)


main()
