//! Lines of an edited text.

use crate::access::Access;
use crate::error::AccessError;
use crate::store::overlay::text::{EditedText, Span};
use memchr::memchr_iter;

impl EditedText {
    /// The lines `from` to `to`, counted from 1.
    pub(in crate::store) fn lines(
        &self,
        access: &Access,
        name: &[u8],
        from: u64,
        to: u64,
    ) -> Result<Vec<u8>, AccessError> {
        if from > to || to == 0 {
            return Ok(Vec::new());
        }
        let start = self.line_start(access, from.max(1) - 1)?;
        let end = self.line_start(access, to)?;
        self.extract(access, name, start, usize::try_from(end - start).unwrap_or(usize::MAX))
    }

    /// The offset of the line that has `lines` line ends before it; the size if there are fewer.
    fn line_start(&self, access: &Access, mut lines: u64) -> Result<u64, AccessError> {
        if lines == 0 {
            return Ok(0);
        }
        let mut offset = 0;
        for span in self.spans() {
            match (span, self.base) {
                (Span::Base { start, len }, Some(base)) => {
                    let before = access.line_ends_before(base, start)?;
                    let here = access.line_ends_before(base, start + len)? - before;
                    if lines <= here {
                        return Ok(offset + access.line_start(base, before + lines)? - start);
                    }
                    lines -= here;
                }
                (Span::New { start, len }, _) => {
                    let bytes = self.new_bytes(start, len);
                    match memchr_iter(b'\n', bytes).nth(lines as usize - 1) {
                        Some(end) => return Ok(offset + end as u64 + 1),
                        None => lines -= memchr_iter(b'\n', bytes).count() as u64,
                    }
                }
                (Span::Base { .. }, None) => {}
            }
            offset += span.len();
        }
        Ok(self.size())
    }
}
