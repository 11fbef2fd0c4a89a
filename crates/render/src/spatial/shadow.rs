//! Shadows by a map of heights towards the sun (Williams 1978, "Casting curved shadows on curved
//! surfaces"), with soft borders (Reeves, Salesin and Cook 1987, "Rendering antialiased shadows
//! with depth maps").

use glam::{DMat3, DVec3};

use super::face;
use super::prepared::Prepared;
use super::{Form, Solid, Stage};

/// Cells along the longer side of the map for each pixel of the longer side of the picture, and at
/// most.
const CELLS_PER_PIXEL: f64 = 1.5;
const MOST_CELLS: usize = 2048;
/// A surface is lifted along its normal before it is looked up, so that it does not shade itself:
/// by this many cells, and by that many times the sine of its angle to the sun. Within the 2 √2
/// cells of a look-up a surface rises by as much as the latter undoes.
const LIFT: [f64; 2] = [0.5, 2.9];

/// The highest point of what casts shadows, in each cell of a grid square to the sun.
#[derive(Debug)]
pub(super) struct ShadowMap {
    /// World to map axes: z towards the sun.
    axes: DMat3,
    corner: [f64; 2],
    cell: f64,
    width: usize,
    height: usize,
    heights: Vec<f32>,
}

impl ShadowMap {
    /// Covers every caster that is in sight.
    pub(super) fn new(stage: &Stage, prepared: &Prepared) -> ShadowMap {
        let axes = axes(stage.light.sun);
        let casters: Vec<&Solid> = stage
            .solids
            .iter()
            .filter(|solid| !matches!(solid.form, Form::HalfSpace { .. }) && solid.is_finite())
            .collect();
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for (solid, seen) in stage.solids.iter().zip(&prepared.in_sight) {
            let reach = solid.reach();
            if *seen && reach.is_finite() {
                let at = axes * solid.position;
                low = [low[0].min(at.x - reach), low[1].min(at.y - reach)];
                high = [high[0].max(at.x + reach), high[1].max(at.y + reach)];
            }
        }
        let [w, h] = stage.camera.size();
        let most = ((CELLS_PER_PIXEL * f64::from(w.max(h))) as usize).clamp(64, MOST_CELLS);
        let longer = (high[0] - low[0]).max(high[1] - low[1]);
        let usable = longer.is_finite() && longer > 0.0;
        let cell = if usable { longer / (most - 8) as f64 } else { 1.0 };
        let side = |axis: usize| if usable { ((high[axis] - low[axis]) / cell) as usize + 8 } else { 0 };
        let (width, height) = (side(0), side(1));
        let corner = [low[0] - 4.0 * cell, low[1] - 4.0 * cell];
        let heights = vec![f32::NEG_INFINITY; width * height];
        let mut map = ShadowMap { axes, corner, cell, width, height, heights };
        if usable {
            casters.into_iter().for_each(|solid| map.add(solid));
        }
        map
    }

    /// How much of the sun a point of a surface sees, 0 to 1.
    pub(super) fn sunlight(&self, point: DVec3, normal: DVec3) -> f64 {
        let toward = (self.axes * normal).z;
        let lift = LIFT[0] + LIFT[1] * (1.0 - toward * toward).max(0.0).sqrt();
        let at = self.axes * (point + normal * (lift * self.cell));
        let (x, y) = ((at.x - self.corner[0]) / self.cell - 0.5, (at.y - self.corner[1]) / self.cell - 0.5);
        if !(x >= 1.0 && y >= 1.0 && x + 3.0 < self.width as f64 && y + 3.0 < self.height as f64) {
            return 1.0;
        }
        let (left, top) = (x as usize - 1, y as usize - 1);
        let (dx, dy) = (x - x.floor(), y - y.floor());
        // A box of three cells around the point, moved smoothly: four cells in a row, the outer two
        // in part.
        let weights = |d: f64| [1.0 - d, 1.0, 1.0, d];
        let height = at.z as f32;
        let mut free = 0.0;
        for (j, wy) in weights(dy).into_iter().enumerate() {
            let start = (top + j) * self.width + left;
            for (cell, wx) in self.heights[start..start + 4].iter().zip(weights(dx)) {
                if *cell <= height {
                    free += wx * wy;
                }
            }
        }
        free / 9.0
    }

    fn add(&mut self, solid: &Solid) {
        match &solid.form {
            Form::Sphere { radius } => self.add_ball(self.axes * solid.position, *radius),
            Form::Mesh(mesh) => {
                let rotation = self.axes * DMat3::from_quat(solid.orientation);
                let center = self.axes * solid.position;
                let corners: Vec<DVec3> =
                    mesh.corners().iter().map(|c| self.in_cells(center + rotation * *c)).collect();
                for mesh_face in mesh.faces() {
                    let normal = rotation * mesh_face.normal;
                    if normal.z > 1e-6 {
                        let points: Vec<DVec3> = mesh_face.corners.iter().map(|&c| corners[c]).collect();
                        self.add_face(&points, normal);
                    }
                }
            }
            Form::HalfSpace { .. } => {}
        }
    }

    /// Map axes, the first two in cells from the corner.
    fn in_cells(&self, at: DVec3) -> DVec3 {
        DVec3::new((at.x - self.corner[0]) / self.cell, (at.y - self.corner[1]) / self.cell, at.z)
    }

    fn add_face(&mut self, points: &[DVec3], normal: DVec3) {
        let flat: Vec<[f64; 2]> = points.iter().map(|p| [p.x, p.y]).collect();
        let (slope_x, slope_y) = (-normal.x / normal.z * self.cell, -normal.y / normal.z * self.cell);
        let base = points[0].z - slope_x * points[0].x - slope_y * points[0].y;
        let (width, heights) = (self.width, &mut self.heights);
        face::scan(&flat, 0..self.height, width, |y, columns| {
            let first = base + slope_y * (y as f64 + 0.5);
            for x in columns {
                let cell = &mut heights[y * width + x];
                *cell = cell.max((first + slope_x * (x as f64 + 0.5)) as f32);
            }
        });
    }

    fn add_ball(&mut self, center: DVec3, radius: f64) {
        let middle = self.in_cells(center);
        let reach = radius / self.cell;
        let span = |c: f64, count: usize| {
            let cut = |value: f64| value.clamp(0.0, count as f64) as usize;
            cut((c - reach).floor())..cut((c + reach).ceil())
        };
        for y in span(middle.y, self.height) {
            let dy = (y as f64 + 0.5 - middle.y) * self.cell;
            for x in span(middle.x, self.width) {
                let dx = (x as f64 + 0.5 - middle.x) * self.cell;
                let above = radius * radius - dx * dx - dy * dy;
                if above >= 0.0 {
                    let cell = &mut self.heights[y * self.width + x];
                    *cell = cell.max((middle.z + above.sqrt()) as f32);
                }
            }
        }
    }
}

fn axes(sun: DVec3) -> DMat3 {
    let sun = sun.try_normalize().unwrap_or(DVec3::Z);
    let side = sun.any_orthonormal_vector();
    DMat3::from_cols(side, sun.cross(side), sun).transpose()
}
