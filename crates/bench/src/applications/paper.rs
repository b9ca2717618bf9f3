//! What the paper measured for its four applications: its tables 5 and 6, on its data sets D and E.

use super::table::Application;

/// What the paper says of one application, first on data set D, then on E.
#[derive(Debug)]
pub struct Paper {
    /// Its name in the paper.
    pub name: &'static str,
    /// Share of preprocessing in the time of the paper's program, in per cent: table 5.
    pub preprocessing: [f64; 2],
    /// Memory that the paper's program saves, in per cent: table 6.
    pub memory_saved: [f64; 2],
}

/// How many times as fast the paper's program is as its baseline, on average: section 7.4.1 on figure
/// 17, which has no numbers of its own.
pub const AVERAGE_SPEEDUP: f64 = 1.2;

/// The same of TF-IDF, which is the most: "greater than".
pub const TF_IDF_SPEEDUP: f64 = 1.3;

/// The paper's figures, where it has the application.
#[must_use]
pub fn of(application: Application) -> Option<Paper> {
    let (name, preprocessing, memory_saved) = match application {
        Application::TfIdf => ("TFIDF", [44.6, 64.7], [60.5, 76.2]),
        Application::Cooccurrence => ("wordCoOccur", [35.4, 21.3], [17.7, 15.2]),
        Application::Word2vec => ("word2vec", [0.3, 0.2], [17.1, 18.4]),
        Application::Lda => ("LDA", [4.5, 3.0], [0.6, 3.4]),
        Application::Matrix | Application::Bigrams | Application::Bm25 => return None,
    };
    Some(Paper { name, preprocessing, memory_saved })
}
