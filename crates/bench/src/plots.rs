//! Bar charts of a report, as SVG files beside it.

use std::path::Path;

use anyhow::{Context, Result};
use plotters::prelude::*;

/// Bars in groups, one bar of each series in a group.
#[derive(Debug)]
pub struct Chart {
    /// Name of the file, without its ending.
    pub file: &'static str,
    /// What is shown.
    pub title: &'static str,
    /// What the height of a bar is.
    pub unit: &'static str,
    /// How heights are drawn.
    pub scale: Scale,
    /// Name of each group.
    pub groups: Vec<String>,
    /// Of each series its name, and a bar for each group.
    pub series: Vec<(String, Vec<f64>)>,
}

/// How heights of bars are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// From 0 up.
    Linear,
    /// Ratios on a logarithmic axis: up from 1 if above it, down if below.
    Ratio,
}

impl Scale {
    /// Where a value is on the axis.
    fn height(self, value: f64) -> f64 {
        match self {
            Self::Linear => value,
            Self::Ratio => value.max(f64::MIN_POSITIVE).log10(),
        }
    }

    /// The label of a place on the axis.
    fn label(self, height: f64) -> String {
        match self {
            Self::Linear => format!("{height:.1}"),
            Self::Ratio => {
                let ratio = 10f64.powf(height);
                if ratio < 10.0 { format!("{ratio:.2}") } else { format!("{ratio:.0}") }
            }
        }
    }
}

impl Chart {
    /// The line of a Markdown page that shows the chart.
    #[must_use]
    pub fn markdown(&self) -> String {
        format!("![{}]({}.svg)\n", self.title, self.file)
    }

    /// Writes the chart into a folder.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<()> {
        let path = folder.join(self.file).with_extension("svg");
        // The errors of a drawing borrow from it.
        self.draw(&path)
            .map_err(|error| anyhow::anyhow!("{error}"))
            .with_context(|| format!("cannot draw {}", path.display()))
    }

    fn draw(&self, path: &Path) -> Result<(), Box<dyn std::error::Error + '_>> {
        let heights =
            || self.series.iter().flat_map(|(_, bars)| bars).map(|&bar| self.scale.height(bar));
        let (lowest, highest) = (heights().fold(0.0, f64::min), heights().fold(0.0, f64::max));
        let groups = self.groups.len();
        let width = 0.8 / self.series.len().max(1) as f64;
        let area = SVGBackend::new(path, (900, 360)).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .caption(self.title, ("sans-serif", 18))
            .margin(12)
            .x_label_area_size(28)
            .y_label_area_size(56)
            .build_cartesian_2d(
                -0.5..groups as f64 - 0.5,
                lowest * 1.25..highest.max(f64::MIN_POSITIVE) * 1.25,
            )?;
        let name = |at: &f64| {
            let group = at.round();
            let is_middle = (at - group).abs() < 1e-6 && group >= 0.0;
            self.groups.get(group as usize).filter(|_| is_middle).cloned().unwrap_or_default()
        };
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(groups + 1)
            .x_label_formatter(&name)
            .y_label_formatter(&|height| self.scale.label(*height))
            .y_desc(self.unit)
            .draw()?;
        for (number, (series, bars)) in self.series.iter().enumerate() {
            let colour = Palette99::pick(number).filled();
            let left = (number as f64 - self.series.len() as f64 / 2.0) * width;
            let bar = |(group, &value): (usize, &f64)| {
                let start = group as f64 + left;
                let end = (start + width * 0.9, self.scale.height(value));
                Rectangle::new([(start, 0.0), end], colour)
            };
            chart
                .draw_series(bars.iter().enumerate().map(bar))?
                .label(series)
                .legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 10, y + 5)], colour));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .background_style(WHITE.mix(0.8))
            .draw()?;
        area.present()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_names_all_its_groups_and_series() {
        let folder = tempfile::tempdir().unwrap();
        for groups in [1, 3, 13] {
            let chart = Chart {
                file: "chart",
                title: "Rates",
                unit: "MB/s",
                scale: Scale::Linear,
                groups: (0..groups).map(|group| format!("group{group}")).collect(),
                series: vec![
                    ("books".into(), (0..groups).map(f64::from).collect()),
                    ("logs".into(), vec![0.5; groups as usize]),
                ],
            };
            assert_eq!(chart.markdown(), "![Rates](chart.svg)\n");
            chart.write(folder.path()).unwrap();
            let svg = std::fs::read_to_string(folder.path().join("chart.svg")).unwrap();
            for text in chart.groups.iter().map(|group| &group[..]).chain(["books", "logs", "MB/s"])
            {
                assert!(svg.lines().any(|line| line == text), "{text} in {groups} groups: {svg}");
            }
            let bars = svg.matches("<rect").count();
            assert!(bars > 2 * groups as usize, "{bars}");
        }
        let scale = Scale::Linear;
        let nothing =
            Chart { file: "n", title: "", unit: "", scale, groups: vec![], series: vec![] };
        nothing.write(folder.path()).unwrap();
    }

    #[test]
    fn ratios_are_drawn_from_one() {
        assert_eq!([0.01, 1.0, 100.0].map(|ratio| Scale::Ratio.height(ratio)), [-2.0, 0.0, 2.0]);
        assert_eq!([-1.0, 0.0, 1.0].map(|at| Scale::Ratio.label(at)), ["0.10", "1.00", "10"]);
        let folder = tempfile::tempdir().unwrap();
        let chart = Chart {
            file: "ratios",
            title: "Speed-ups",
            unit: "times",
            scale: Scale::Ratio,
            groups: vec!["one".into(), "two".into()],
            series: vec![("logs".into(), vec![100.0, 0.5])],
        };
        chart.write(folder.path()).unwrap();
        let svg = std::fs::read_to_string(folder.path().join("ratios.svg")).unwrap();
        assert!(svg.lines().any(|line| line == "1.00"), "{svg}");
    }
}
