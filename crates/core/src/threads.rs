//! Work on a few parts at once.

/// Does `work` on each part, on a thread of its own but for the first; results in order.
pub(crate) fn on_threads<T: Send, R: Send>(parts: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let mut parts = parts.into_iter();
    let Some(first) = parts.next() else { return Vec::new() };
    let work = &work;
    std::thread::scope(|scope| {
        let others: Vec<_> = parts.map(|part| scope.spawn(move || work(part))).collect();
        let first = work(first);
        let others = others.into_iter().map(|other| match other.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        std::iter::once(first).chain(others).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order() {
        for len in 0..9 {
            assert_eq!(
                on_threads((0..len).collect(), |n| n * n),
                (0..len).map(|n| n * n).collect::<Vec<_>>()
            );
        }
    }

    #[test]
    #[should_panic(expected = "the third")]
    fn a_panic_goes_on() {
        on_threads(vec![1, 2, 3], |n| assert_ne!(n, 3, "the third"));
    }
}
