//! Counts of topics per word, as rows of groups: what the processor adds and multiplies at once.

/// Topics per group.
pub(super) const LANES: usize = 8;

/// A number for each topic of a group.
pub(super) type Group<T> = [T; LANES];

/// The number of groups that hold this many topics.
pub(super) fn groups(topics: usize) -> usize {
    topics.div_ceil(LANES)
}

/// The number of a topic.
#[inline]
pub(super) fn at<T: Copy>(row: &[Group<T>], topic: usize) -> T {
    row[topic / LANES][topic % LANES]
}

/// The number of a topic, to change it.
#[inline]
pub(super) fn at_mut<T>(row: &mut [Group<T>], topic: usize) -> &mut T {
    &mut row[topic / LANES][topic % LANES]
}

/// Counts of each topic in rows. A row ends with zeros where the last group is not full.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Counts {
    groups: usize,
    counts: Vec<Group<i32>>,
}

impl Counts {
    pub(super) fn zeros(rows: usize, topics: usize) -> Self {
        let groups = groups(topics);
        Self { groups, counts: vec![[0; LANES]; rows * groups] }
    }

    #[inline]
    pub(super) fn row(&self, row: usize) -> &[Group<i32>] {
        &self.counts[row * self.groups..][..self.groups]
    }

    #[inline]
    pub(super) fn row_mut(&mut self, row: usize) -> &mut [Group<i32>] {
        &mut self.counts[row * self.groups..][..self.groups]
    }
}
