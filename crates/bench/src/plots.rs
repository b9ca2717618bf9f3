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
    /// Name of each group.
    pub groups: Vec<String>,
    /// Of each series its name, and a bar for each group.
    pub series: Vec<(String, Vec<f64>)>,
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
        let highest =
            self.series.iter().flat_map(|(_, bars)| bars).fold(0.0, |a: f64, &b| a.max(b));
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
                0.0..highest.max(f64::MIN_POSITIVE) * 1.25,
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
            .y_desc(self.unit)
            .draw()?;
        for (number, (series, bars)) in self.series.iter().enumerate() {
            let colour = Palette99::pick(number).filled();
            let left = (number as f64 - self.series.len() as f64 / 2.0) * width;
            let bar = |(group, &height): (usize, &f64)| {
                let start = group as f64 + left;
                Rectangle::new([(start, 0.0), (start + width * 0.9, height)], colour)
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
        let nothing = Chart { file: "n", title: "", unit: "", groups: vec![], series: vec![] };
        nothing.write(folder.path()).unwrap();
    }
}
