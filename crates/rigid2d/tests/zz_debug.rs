mod build;
use build::*;
use carom_rigid2d::*;
#[test]
fn two() {
  for integrator in [Integrator::SymplecticEuler, Integrator::VelocityVerlet] {
    let mut build = Build::gravity(v(0.0, -9.81));
    build.floor(0.0);
    build.disc(v(0.0, 0.2), 0.2, DVec2::ZERO);
    build.disc(v(0.0, 1.4), 0.2, DVec2::ZERO);
    let dt = 1.0 / 60.0;
    let settings = Settings { contact: Some(ContactSettings::with_restitution(Response::Lcp, 1.0)), ..Settings::new(dt, integrator) };
    let mut world = World::new(build.model, build.state, settings).unwrap();
    let ahead = if integrator == Integrator::SymplecticEuler { -0.5 * 9.81 * dt } else { 0.0 };
    let e = |w: &World, k: usize| { let b = w.state().bodies[k]; 0.5 * (b.velocity.y + ahead).powi(2) + 9.81 * (b.position.y - 0.6) };
    for k in 0..2000 {
        let a = e(&world, 2);
        let lower = world.state().bodies[2];
        let r = world.step();
        let b = e(&world, 2);
        if (a - b).abs() > 1e-9 { eprintln!("{k}: {a} {b} {:?} lower {:?} -> {:?} impacts {} {:?}", world.state().bodies[2].velocity.y, lower, world.state().bodies[2], r.impacts, world.touched().iter().map(|t| (t.contact.first.0, t.contact.second.0, t.time, t.impulse)).collect::<Vec<_>>()); }
    }
  }
}
