// What a new scene begins with: small, and something happens.

export const EMPTY_SCENE = `<scene>
  <description text="Three balls, a floor, and gravity. Change a number."/>
  <duration time="20"/>
  <integrator type="symplectic-euler" dt="0.005"/>
  <collision type="continuous-time" COR="0.8"/>
  <simplegravity fx="0" fy="-9.81"/>
  <viewport cx="0" cy="1.5" size="2.2"/>
  <particle m="1" px="-1.0" py="2.0" vx="1.0" vy="0" fixed="0" radius="0.20"/>
  <particle m="1" px="0.1" py="2.8" vx="0" vy="0" fixed="0" radius="0.25"/>
  <particle m="2" px="1.1" py="1.5" vx="-0.5" vy="0" fixed="0" radius="0.30"/>
  <halfplane px="0" py="0" nx="0" ny="1"/>
  <halfplane px="-2" py="0" nx="1" ny="0"/>
  <halfplane px="2" py="0" nx="-1" ny="0"/>
</scene>
`;
