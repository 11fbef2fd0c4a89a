//! The programs of `examples/`: each runs, and says what its closed form says.

#[allow(dead_code, reason = "a program has a main")]
#[path = "../examples/bounce.rs"]
mod bounce;
#[allow(dead_code, reason = "a program has a main")]
#[path = "../examples/come_and_go.rs"]
mod come_and_go;
#[allow(dead_code, reason = "a program has a main")]
#[path = "../examples/cradle.rs"]
mod cradle;
#[allow(dead_code, reason = "a program has a main")]
#[path = "../examples/driven.rs"]
mod driven;
#[allow(dead_code, reason = "a program has a main")]
#[path = "../examples/falling.rs"]
mod falling;
#[allow(dead_code, reason = "a program has a main")]
#[path = "../examples/groups.rs"]
mod groups;
#[allow(dead_code, reason = "a program has a main")]
#[path = "../examples/rolling.rs"]
mod rolling;
#[allow(dead_code, reason = "a program has a main")]
#[path = "../examples/save.rs"]
mod save;
#[allow(dead_code, reason = "a program has a main")]
#[path = "../examples/slide.rs"]
mod slide;
#[allow(dead_code, reason = "a program has a main")]
#[path = "../examples/spring.rs"]
mod spring;
#[allow(dead_code, reason = "a program has a main")]
#[path = "../examples/surfaces.rs"]
mod surfaces;
#[allow(dead_code, reason = "a program has a main")]
#[path = "../examples/weight.rs"]
mod weight;

macro_rules! says {
    ($($name:ident $text:literal)*) => {$(
        #[test]
        fn $name() {
            assert_eq!($name::report().unwrap(), $text);
        }
    )*};
}

says! {
    // y = 10 − ½ · 9.81
    falling "height 5.095 m, speed 9.810 m/s"
    // √(2 h / g), then 2 e v / g; m (1 + e) e v; e² h
    bounce "touched at 0.45 s and 0.89 s with 6.71 N s, between them 0.250 m high"
    // momentum and energy of one ball
    cradle "0.00 0.00 0.00 0.00 1.00"
    // v² / (2 μ g)
    slide "slid 0.40 m, then 0.0 m/s"
    // e^(−b T / 2 m)
    spring "0.532 of the swing is left"
    // 3 sin(2) / 4
    driven "0.681973070 m/s in ten steps, 0.681973070 m/s in a thousand"
    // an elastic bounce off what is fixed
    groups "-1.00 0.00 0.00"
    // e² h
    surfaces "0.000 0.250 1.000"
    // eight came, two went
    come_and_go "6 particles, the same bits twice: true"
    // to the bit
    save "restored at 0.60 s; the same bits at 1.20 s: true"
    // 5/7 of 7 m/s, over the radius
    rolling "5.00 m/s at 10.00 rad/s"
    // m g
    weight "held at 1.000 m; the floor carries 20.000 N"
}
