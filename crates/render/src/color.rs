//! Colours of pictures, their contrast, and a palette that colour-blind people can tell apart.

use carom_scene::description::Color as SceneColor;

/// A colour with an opacity, eight bits a channel, in sRGB.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rgba {
    /// Red.
    pub red: u8,
    /// Green.
    pub green: u8,
    /// Blue.
    pub blue: u8,
    /// Opacity: 255 hides what is behind.
    pub alpha: u8,
}

impl Rgba {
    /// White.
    pub const WHITE: Rgba = Rgba::opaque(255, 255, 255);
    /// Black.
    pub const BLACK: Rgba = Rgba::opaque(0, 0, 0);

    /// An opaque colour.
    pub const fn opaque(red: u8, green: u8, blue: u8) -> Rgba {
        Rgba { red, green, blue, alpha: 255 }
    }

    /// The same colour, less opaque; `opacity` is cut to 0 to 1.
    pub fn with_opacity(self, opacity: f64) -> Rgba {
        Rgba { alpha: channel(opacity), ..self }
    }

    /// A mixture: `share` of `other`, the rest of `self`, in sRGB; opaque.
    pub fn mixed_with(self, other: Rgba, share: f64) -> Rgba {
        let mix = |a: u8, b: u8| channel((f64::from(a) * (1.0 - share) + f64::from(b) * share) / 255.0);
        Rgba::opaque(mix(self.red, other.red), mix(self.green, other.green), mix(self.blue, other.blue))
    }

    /// Relative luminance, 0 black to 1 white (WCAG 2.1, "relative luminance").
    pub fn luminance(self) -> f64 {
        0.2126 * linear(self.red) + 0.7152 * linear(self.green) + 0.0722 * linear(self.blue)
    }

    /// Contrast ratio of two opaque colours, 1 to 21 (WCAG 2.1, "contrast ratio").
    pub fn contrast(self, other: Rgba) -> f64 {
        let (a, b) = (self.luminance(), other.luminance());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// Black or white ink, whichever is easier to read on this colour.
    pub fn ink(self) -> Rgba {
        if self.contrast(Rgba::BLACK) >= self.contrast(Rgba::WHITE) {
            Rgba::opaque(24, 24, 27)
        } else {
            Rgba::WHITE
        }
    }
}

impl From<SceneColor> for Rgba {
    /// Channels outside 0 to 1 are cut.
    fn from(color: SceneColor) -> Rgba {
        Rgba::opaque(channel(color.red), channel(color.green), channel(color.blue))
    }
}

/// Eight series colours after Okabe and Ito (2008), "Color universal design", without its yellow
/// and darkened to a contrast of at least 3 on white.
pub const SERIES: [Rgba; 8] = [
    Rgba::opaque(0, 98, 160),
    Rgba::opaque(200, 82, 0),
    Rgba::opaque(0, 130, 96),
    Rgba::opaque(176, 82, 138),
    Rgba::opaque(40, 40, 46),
    Rgba::opaque(38, 140, 196),
    Rgba::opaque(180, 120, 0),
    Rgba::opaque(122, 84, 190),
];

/// The same hues, lightened for a dark background.
pub const SERIES_ON_DARK: [Rgba; 8] = [
    Rgba::opaque(92, 176, 236),
    Rgba::opaque(255, 146, 66),
    Rgba::opaque(52, 202, 158),
    Rgba::opaque(232, 146, 200),
    Rgba::opaque(214, 214, 220),
    Rgba::opaque(134, 210, 255),
    Rgba::opaque(240, 190, 60),
    Rgba::opaque(184, 158, 246),
];

fn channel(value: f64) -> u8 {
    // Not-a-number becomes 0: `as` saturates.
    (value.clamp(0.0, 1.0) * 255.0).round() as u8
}

fn linear(channel: u8) -> f64 {
    let value = f64::from(channel) / 255.0;
    if value <= 0.04045 { value / 12.92 } else { libm::pow((value + 0.055) / 1.055, 2.4) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn black_on_white_has_the_greatest_contrast() {
        assert!((Rgba::BLACK.contrast(Rgba::WHITE) - 21.0).abs() < 1e-12);
        assert_eq!(Rgba::WHITE.ink(), Rgba::opaque(24, 24, 27));
        assert_eq!(Rgba::opaque(10, 10, 60).ink(), Rgba::WHITE);
    }

    #[test]
    fn series_are_seen_on_their_backgrounds() {
        for color in SERIES {
            assert!(
                color.contrast(Rgba::WHITE) >= 3.0,
                "{color:?} is too pale: {}",
                color.contrast(Rgba::WHITE)
            );
        }
        for color in SERIES_ON_DARK {
            let dark = Rgba::opaque(24, 26, 31);
            assert!(color.contrast(dark) >= 3.0, "{color:?} is too dark");
        }
    }

    #[test]
    fn channels_outside_their_range_are_cut() {
        let color = SceneColor { red: -1.0, green: f64::NAN, blue: 2.0 };
        assert_eq!(Rgba::from(color), Rgba::opaque(0, 0, 255));
    }
}
