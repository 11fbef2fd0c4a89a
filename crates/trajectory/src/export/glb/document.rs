//! The JSON of a glTF file and the numbers that it points into.

use super::{Solid, WIDTH};
use serde_json::{Value, json};

/// Kinds of numbers, by glTF's codes.
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
/// What a view of the numbers is for.
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

/// A file that is being put together.
#[derive(Default)]
pub(super) struct Document {
    numbers: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    meshes: Vec<Value>,
    materials: Vec<Value>,
    /// Nodes of bodies; the root comes after them.
    nodes: Vec<Value>,
    animation: Option<Value>,
}

/// How an accessor's numbers are meant.
struct Meaning {
    component: u32,
    shape: &'static str,
    count: usize,
    target: Option<u32>,
}

impl Document {
    /// A body where it is at the start.
    pub(super) fn add_body(&mut self, solid: &Solid, pose: Option<&[f32; WIDTH]>) {
        let mut node = json!({ "name": solid.name });
        if let Some([x, y, z, turn @ ..]) = pose {
            node["translation"] = json!([x, y, z]);
            node["rotation"] = json!(turn);
        }
        if !solid.triangles.is_empty() {
            node["mesh"] = json!(self.add_mesh(solid));
        }
        self.nodes.push(node);
    }

    fn add_mesh(&mut self, solid: &Solid) -> usize {
        let single = |list: &[[f64; 3]]| list.iter().map(|p| p.map(|x| x as f32)).collect::<Vec<_>>();
        let (points, normals) = (single(&solid.points), single(&solid.normals));
        let count = points.len();
        let vectors = |count| Meaning { component: FLOAT, shape: "VEC3", count, target: Some(ARRAY_BUFFER) };
        let position = self.accessor(points.as_flattened(), vectors(count));
        let extreme = |pick: fn(f32, f32) -> f32| {
            [0, 1, 2].map(|k| points.iter().map(|p| p[k]).reduce(pick).unwrap_or(0.0))
        };
        self.accessors[position]["min"] = json!(extreme(f32::min));
        self.accessors[position]["max"] = json!(extreme(f32::max));
        let normal = self.accessor(normals.as_flattened(), vectors(normals.len()));
        let corners: Vec<u8> =
            solid.triangles.as_flattened().iter().flat_map(|corner| corner.to_le_bytes()).collect();
        let meaning = Meaning {
            component: UNSIGNED_INT,
            shape: "SCALAR",
            count: 3 * solid.triangles.len(),
            target: Some(ELEMENT_ARRAY_BUFFER),
        };
        let indices = self.accessor_of_bytes(&corners, meaning);
        let material = self.material(solid.color);
        self.meshes.push(json!({
            "name": solid.name,
            "primitives": [{
                "attributes": { "POSITION": position, "NORMAL": normal }, "indices": indices, "material": material,
            }],
        }));
        self.meshes.len() - 1
    }

    /// The material of a colour; bodies of one colour share it.
    fn material(&mut self, color: [f64; 3]) -> usize {
        let [red, green, blue] = color.map(linear);
        let material = json!({
            "pbrMetallicRoughness": {
                "baseColorFactor": [red, green, blue, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.6,
            },
        });
        self.materials.iter().position(|there| *there == material).unwrap_or_else(|| {
            self.materials.push(material);
            self.materials.len() - 1
        })
    }

    /// The motion of every body that moves.
    pub(super) fn animate(&mut self, times: &[f32], poses: &[Vec<[f32; WIDTH]>]) {
        let meaning = |shape, count| Meaning { component: FLOAT, shape, count, target: None };
        let input = self.accessor(times, meaning("SCALAR", times.len()));
        self.accessors[input]["min"] = json!([times.first()]);
        self.accessors[input]["max"] = json!([times.last()]);
        let (mut samplers, mut channels) = (Vec::new(), Vec::new());
        for (node, poses) in poses.iter().enumerate() {
            for (path, range, shape) in [("translation", 0..3, "VEC3"), ("rotation", 3..7, "VEC4")] {
                let numbers: Vec<f32> = poses.iter().flat_map(|pose| pose[range.clone()].to_vec()).collect();
                let width = range.len();
                if numbers.chunks_exact(width).all(|pose| pose == &numbers[..width]) {
                    continue;
                }
                let output = self.accessor(&numbers, meaning(shape, poses.len()));
                channels.push(json!({ "sampler": samplers.len(), "target": { "node": node, "path": path } }));
                samplers.push(json!({ "input": input, "output": output, "interpolation": "LINEAR" }));
            }
        }
        if !channels.is_empty() {
            self.animation = Some(json!({ "name": "run", "samplers": samplers, "channels": channels }));
        }
    }

    fn accessor(&mut self, numbers: &[f32], meaning: Meaning) -> usize {
        let bytes: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        self.accessor_of_bytes(&bytes, meaning)
    }

    fn accessor_of_bytes(&mut self, bytes: &[u8], meaning: Meaning) -> usize {
        let mut view = json!({ "buffer": 0, "byteOffset": self.numbers.len(), "byteLength": bytes.len() });
        if let Some(target) = meaning.target {
            view["target"] = json!(target);
        }
        self.numbers.extend_from_slice(bytes);
        self.views.push(view);
        self.accessors.push(json!({
            "bufferView": self.views.len() - 1, "componentType": meaning.component,
            "count": meaning.count, "type": meaning.shape,
        }));
        self.accessors.len() - 1
    }

    /// The JSON and the numbers.
    pub(super) fn finish(self) -> (Vec<u8>, Vec<u8>) {
        let Document { numbers, views, accessors, meshes, materials, mut nodes, animation } = self;
        let bodies: Vec<usize> = (0..nodes.len()).collect();
        // A quarter turn about x takes z up to y up.
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let mut root = json!({ "name": "z up", "rotation": [-half, 0.0, 0.0, half] });
        if !bodies.is_empty() {
            root["children"] = json!(bodies);
        }
        nodes.push(root);
        let mut whole = json!({
            "asset": { "version": "2.0", "generator": concat!("carom ", env!("CARGO_PKG_VERSION")) },
            "scene": 0,
            "scenes": [{ "nodes": [nodes.len() - 1] }],
        });
        whole["nodes"] = json!(nodes);
        // Empty lists are not allowed.
        for (name, list) in
            [("bufferViews", views), ("accessors", accessors), ("meshes", meshes), ("materials", materials)]
        {
            if !list.is_empty() {
                whole[name] = json!(list);
            }
        }
        if !numbers.is_empty() {
            whole["buffers"] = json!([{ "byteLength": numbers.len() }]);
        }
        if let Some(animation) = animation {
            whole["animations"] = json!([animation]);
        }
        (whole.to_string().into_bytes(), numbers)
    }
}

/// Colours of screens to light: squares stand for the power 2.2 of the standard, which no eye tells
/// apart here.
fn linear(channel: f64) -> f64 {
    channel * channel
}
