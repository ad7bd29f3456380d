//! Plots: `plotters` draws them, as SVG that a page holds in itself.
//!
//! Their texts have no font of their own and their colours are three. Each is written as a plain
//! attribute, which the policy of a page allows and its style sheet replaces: so a plot is dark
//! where its page is.

use maud::{Markup, PreEscaped, html};
use plotters::{
    coord::Shift,
    drawing::{DrawingArea, DrawingAreaErrorKind},
    prelude::{
        BindKeyPoints as _, ChartBuilder, Circle, DrawingBackend, EmptyElement,
        IntoDrawingArea as _, IntoLogRange as _, PathElement, RGBColor, Rectangle, SVGBackend,
        Text,
    },
    style::{
        Color as _, IntoFont as _, TextStyle,
        text_anchor::{HPos, Pos, VPos},
    },
};

pub(super) const BAR: RGBColor = RGBColor(0x1f, 0x56, 0x8f);
/// The colour of bars of bad values.
pub(super) const BAD: RGBColor = RGBColor(0xa6, 0x2a, 0x1e);
/// The colour of everything else.
pub(super) const QUIET: RGBColor = RGBColor(0x5d, 0x62, 0x69);

/// The greatest number that is drawn to scale. Numbers may come from a file, which may say
/// anything.
const MOST: u64 = 1 << 53;
const LETTER: i32 = 12;

/// The width of a place on an axis: the number of points at which a mark can stand.
pub(super) const PLACE: i32 = 100;

/// A bar at a place on the axis.
pub(super) struct Bar {
    /// The place, from 0 on.
    pub(super) place: i32,
    pub(super) height: u64,
    pub(super) colour: RGBColor,
}

/// A line across a plot, with its label.
pub(super) struct Mark {
    pub(super) at: i32,
    pub(super) says: String,
}

/// Bars over an axis whose places have these names.
pub(super) struct Distribution {
    pub(super) bars: Vec<Bar>,
    pub(super) marks: Vec<Mark>,
    pub(super) places: i32,
    /// Points on the axis, with their names.
    pub(super) names: Vec<(i32, String)>,
}

impl Distribution {
    /// The picture. `says` describes it for readers who cannot see it.
    pub(super) fn picture(&self, says: &str) -> Markup {
        let size = (640, 118);
        let most = self.bars.iter().map(|bar| bar.height).max().unwrap_or(0).clamp(1, MOST);
        drawn(size, says, |root| {
            let mut chart = ChartBuilder::on(root);
            let rows = self.rows();
            let top = 2 + LETTER * (1 + rows.iter().copied().max().unwrap_or(0));
            chart.margin(2).margin_right(40).margin_top(top);
            chart.x_label_area_size(24).y_label_area_size(56);
            let points: Vec<i32> = self.names.iter().map(|(point, _)| *point).collect();
            let across = (0..self.places * PLACE).with_key_points(points);
            let mut chart = chart.build_cartesian_2d(across, 0..most)?;
            let name = |point: &i32| {
                let known = self.names.iter().find(|(known, _)| known == point);
                known.map_or_else(String::new, |(_, name)| name.clone())
            };
            let mut mesh = chart.configure_mesh();
            mesh.disable_mesh().axis_style(QUIET).label_style(letters()).y_labels(3);
            mesh.x_label_formatter(&name).draw()?;
            chart.draw_series(self.bars.iter().map(|bar| {
                let (from, to) = (bar.place * PLACE + PLACE / 20, (bar.place + 1) * PLACE);
                Rectangle::new(
                    [(from, 0), (to - PLACE / 20, bar.height.min(most))],
                    bar.colour.filled(),
                )
            }))?;
            let line = |mark: &Mark| PathElement::new(vec![(mark.at, 0), (mark.at, most)], QUIET);
            chart.draw_series(self.marks.iter().map(line))?;
            chart.draw_series(rows.iter().zip(&self.marks).map(|(row, mark)| {
                let style = letters().pos(Pos::new(HPos::Left, VPos::Bottom));
                let place = (2, -LETTER * row);
                EmptyElement::at((mark.at, most)) + Text::new(mark.says.clone(), place, style)
            }))?;
            Ok(())
        })
    }

    /// The row of each mark's label: the lowest one that is still free there.
    fn rows(&self) -> Vec<i32> {
        // Of the width of the picture this much is the axis, and a letter is at most so wide.
        const AXIS: i64 = 540;
        const WIDE: i64 = 8;
        let mut ends: Vec<i64> = Vec::new();
        let row = |mark: &Mark| {
            let from = i64::from(mark.at) * AXIS / i64::from(self.places * PLACE).max(1);
            let row = ends.iter().position(|end| *end <= from).unwrap_or(ends.len());
            ends.resize(ends.len().max(row + 1), 0);
            let letters = i64::try_from(mark.says.chars().count()).unwrap_or(AXIS);
            ends[row] = from + letters * WIDE;
            i32::try_from(row).expect("there are a few")
        };
        self.marks.iter().map(row).collect()
    }
}

/// Bars side by side, each so wide, on a logarithmic scale. They begin `left` from the edge.
pub(super) fn columns(
    heights: &[f64],
    pitch: u32,
    (left, right): (u32, u32),
    says: &str,
) -> Markup {
    let most = heights.iter().copied().fold(2.0, f64::max);
    let count = u32::try_from(heights.len()).expect("there are some hundreds");
    drawn((left + count * pitch + right, 64), says, |root| {
        let mut chart = ChartBuilder::on(root);
        chart.margin_right(right).margin_top(6).margin_bottom(6).y_label_area_size(left);
        let up = (1.0..most).log_scale();
        let mut chart = chart.build_cartesian_2d(0.0..f64::from(count), up)?;
        let mut mesh = chart.configure_mesh();
        mesh.disable_mesh().axis_style(QUIET).label_style(letters()).y_labels(3);
        mesh.disable_x_axis().y_label_formatter(&|steps: &f64| format!("{steps:.0}")).draw()?;
        let bars = (0_u32..).zip(heights).map(|(at, height)| {
            let (from, to) = (f64::from(at) + 0.1, f64::from(at) + 0.9);
            Rectangle::new([(from, 1.0), (to, height.max(1.0))], BAR.filled())
        });
        chart.draw_series(bars)?;
        Ok(())
    })
}

/// A curve through points, none of which is 0; both axes are logarithmic.
#[expect(clippy::cast_precision_loss, reason = "a picture needs few digits")]
pub(super) fn curve(points: &[(u64, u64)], says: &str) -> Markup {
    let points: Vec<(f64, f64)> =
        points.iter().map(|(x, y)| ((*x).max(1) as f64, (*y).max(1) as f64)).collect();
    let range = |of: fn(&(f64, f64)) -> f64| {
        let least = points.iter().map(of).fold(f64::INFINITY, f64::min);
        let most = points.iter().map(of).fold(1.0, f64::max);
        (least / 1.5)..(most * 1.5)
    };
    let (across, up) = (range(|(x, _)| *x), range(|(_, y)| *y));
    drawn((320, 190), says, |root| {
        let mut chart = ChartBuilder::on(root);
        chart.margin(10).margin_right(24).x_label_area_size(24).y_label_area_size(76);
        let mut chart = chart.build_cartesian_2d(across.log_scale(), up.log_scale())?;
        let whole = |count: &f64| format!("{count:.0}");
        let mut mesh = chart.configure_mesh();
        mesh.disable_mesh().axis_style(QUIET).label_style(letters()).x_labels(3).y_labels(4);
        mesh.x_label_formatter(&whole).y_label_formatter(&whole).draw()?;
        chart.draw_series([PathElement::new(points.clone(), BAR.stroke_width(2))])?;
        chart.draw_series(points.iter().map(|point| Circle::new(*point, 3, BAR.filled())))?;
        Ok(())
    })
}

/// Parts of a whole, side by side in one bar.
pub(super) fn parts(parts: &[(u64, RGBColor)], says: &str) -> Markup {
    let whole = parts.iter().fold(0_u64, |sum, (part, _)| sum.saturating_add(*part)).clamp(1, MOST);
    drawn((640, 18), says, |root| {
        let mut chart = ChartBuilder::on(root).build_cartesian_2d(0..whole, 0..1)?;
        let mut from = 0;
        chart.draw_series(parts.iter().map(|(part, colour)| {
            let to = whole.min(part.saturating_add(from));
            Rectangle::new([(std::mem::replace(&mut from, to), 0), (to, 1)], colour.filled())
        }))?;
        Ok(())
    })
}

fn letters() -> TextStyle<'static> {
    ("sans-serif", LETTER).into_font().color(&QUIET)
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Failed<'a> = DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>;

/// The drawing as an element of a page. Its text alternative is `says`.
fn drawn(
    (width, height): (u32, u32),
    says: &str,
    draw: impl for<'a> FnOnce(&Area<'a>) -> Result<(), Failed<'a>>,
) -> Markup {
    let mut text = String::new();
    let root = SVGBackend::with_string(&mut text, (width, height)).into_drawing_area();
    draw(&root).expect("a string takes everything");
    root.present().expect("a string takes everything");
    drop(root);
    // The element itself is ours: the namespace that files need would be an address in a page.
    let (_, inside) = text.split_once('>').expect("it begins with an element");
    let inside = inside.trim_end().strip_suffix("</svg>").expect("which ends it");
    html! {
        svg.plot role="img" aria-label=(says) width=(width) height=(height)
            viewBox=(format!("0 0 {width} {height}")) {
            (PreEscaped(inside))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plots(number: u64) -> [String; 3] {
        let bars = [(0, BAR), (3, BAD)];
        let bars = bars.map(|(place, colour)| Bar { place, height: number, colour });
        let distribution = Distribution {
            bars: bars.into(),
            marks: vec![Mark { at: 120, says: "p50 <1 s>".to_owned() }],
            places: 4,
            names: vec![(50, "at once".to_owned())],
        };
        let sum = parts(&[(number, BAR), (number, BAD), (1, QUIET)], "sum");
        let pictures =
            [distribution.picture("\"<b>"), columns(&[1.0, 1e9], 9, (90, 20), "steps"), sum];
        pictures.map(Markup::into_string)
    }

    #[test]
    fn any_number_is_drawn_without_a_style_or_an_address() {
        for number in [0, 1, 59, MOST, u64::MAX] {
            let drawn = plots(number);
            for picture in &drawn {
                assert!(!picture.contains("style") && !picture.contains("http"), "{picture}");
                assert!(!picture.contains("<b>") && !picture.contains("<1 s>"), "{picture}");
            }
            assert_eq!(plots(number), drawn, "the same bytes each time");
        }
    }

    #[test]
    fn marks_that_are_near_each_other_are_told_in_rows() {
        let mark = |at| Mark { at, says: "p50 100 ms".to_owned() };
        let of = |marks: &[i32]| {
            let marks = marks.iter().map(|at| mark(*at)).collect();
            Distribution { bars: Vec::new(), marks, places: 10, names: Vec::new() }.rows()
        };
        assert_eq!(of(&[100, 500, 900]), [0, 0, 0]);
        assert_eq!(of(&[500, 510, 520]), [0, 1, 2], "none is told over another one");
        assert_eq!(of(&[100, 110, 500]), [0, 1, 0]);
    }

    /// The style sheet gives the colours of plots, light and dark.
    #[test]
    fn the_style_sheet_has_the_colours_of_plots() {
        let style = include_str!("style.css");
        for RGBColor(red, green, blue) in [BAR, BAD, QUIET] {
            let rule = format!(".plot [fill=\"#{red:02X}{green:02X}{blue:02X}\"]");
            assert!(style.contains(&rule), "{rule}");
        }
        let [distribution, ..] = plots(59);
        assert!(distribution.contains("fill=\"#1F568F\"") && distribution.contains("#A62A1E"));
    }
}
