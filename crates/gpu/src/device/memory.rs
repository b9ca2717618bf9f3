//! Creates, fills and reads buffers.

use super::Device;
use crate::error::GpuError;
use crate::recording::{Buffer, Command};
use std::ops::Range;

/// What to read after a submission.
pub(super) enum Reading {
    /// Parts of buffers, read in place.
    InPlace(Vec<(wgpu::Buffer, Range<u64>)>),
    /// Parts of one buffer, to which all downloads were copied.
    Copied(Option<wgpu::Buffer>, Vec<Range<u64>>),
}

impl Device {
    /// Creates a buffer, of zeros or with content.
    pub(super) fn create(&self, buffer: Buffer, content: Option<&[u32]>) -> Result<(), GpuError> {
        let size = 4 * buffer.words() as u64;
        {
            let mut state = self.state.lock().expect("no holder panics");
            let needed = state.bytes + size;
            let limit = 4 * self.limits.memory as u64;
            let most = self.adapter.most_buffer_bytes();
            if needed > limit || size > most {
                return Err(GpuError::OutOfMemory { needed, limit: limit.min(most) });
            }
            state.bytes = needed;
            state.counters.peak_bytes = state.counters.peak_bytes.max(needed);
            let bytes = content.map_or(0, |content| 4 * content.len() as u64);
            match self.shares_memory {
                true => state.counters.bytes_shared += bytes,
                false => state.counters.bytes_up += bytes,
            }
        }
        let mut usage = wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::COPY_SRC
            | wgpu::BufferUsages::COPY_DST;
        if self.shares_memory {
            usage |= wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::MAP_WRITE;
        }
        let descriptor = wgpu::BufferDescriptor {
            label: Some(buffer.name()),
            size,
            usage,
            mapped_at_creation: content.is_some(),
        };
        let invalid = |reason| GpuError::Invalid { reason };
        let made = self.guarded(invalid, || {
            let made = self.device.create_buffer(&descriptor);
            if let Some(content) = content {
                // A buffer that could not be created has no range to write to. The error scope has the
                // reason.
                if let Ok(mut range) = made.slice(..).get_mapped_range_mut() {
                    range.copy_from_slice(bytemuck::cast_slice(content));
                }
                made.unmap();
            }
            made
        });
        let mut state = self.state.lock().expect("no holder panics");
        match made {
            Ok(made) => {
                state.buffers.insert(buffer.id, made);
                Ok(())
            }
            Err(error) => {
                state.bytes -= size;
                Err(error)
            }
        }
    }

    pub(super) fn buffer(&self, buffer: Buffer) -> wgpu::Buffer {
        let state = self.state.lock().expect("no holder panics");
        state.buffers.get(&buffer.id).expect("a buffer that was made and not freed").clone()
    }

    /// Records the downloads: in place, or copied to one buffer that the host can map.
    pub(super) fn reading(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        commands: &[Command],
    ) -> Reading {
        let downloads: Vec<(wgpu::Buffer, Range<u64>)> = commands
            .iter()
            .filter_map(|command| match command {
                Command::Download(buffer, words) => {
                    let bytes = 4 * words.start as u64..4 * words.end as u64;
                    Some((self.buffer(*buffer), bytes))
                }
                _ => None,
            })
            .collect();
        if self.shares_memory {
            return Reading::InPlace(downloads);
        }
        let size: u64 = downloads.iter().map(|(_, bytes)| bytes.end - bytes.start).sum();
        if size == 0 {
            return Reading::Copied(None, downloads.iter().map(|_| 0..0).collect());
        }
        let copy = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("downloads"),
            size,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut end = 0;
        let ranges = downloads.iter().map(|(buffer, bytes)| {
            let start = end;
            end += bytes.end - bytes.start;
            encoder.copy_buffer_to_buffer(buffer, bytes.start, &copy, start, end - start);
            start..end
        });
        let ranges = ranges.collect();
        Reading::Copied(Some(copy), ranges)
    }

    /// Reads all downloads of a submission.
    pub(super) fn read(&self, reading: Reading) -> Result<Vec<Vec<u32>>, GpuError> {
        let words = |all: &[u32], bytes: &Range<u64>| {
            all[bytes.start as usize / 4..bytes.end as usize / 4].to_vec()
        };
        match reading {
            Reading::InPlace(parts) => {
                parts.into_iter().map(|(buffer, bytes)| self.map(&buffer, bytes)).collect()
            }
            Reading::Copied(None, ranges) => Ok(ranges.into_iter().map(|_| Vec::new()).collect()),
            Reading::Copied(Some(copy), ranges) => {
                let all = self.map(&copy, 0..copy.size())?;
                Ok(ranges.iter().map(|bytes| words(&all, bytes)).collect())
            }
        }
    }

    /// The words of a part of a buffer that the host can map.
    fn map(&self, buffer: &wgpu::Buffer, bytes: Range<u64>) -> Result<Vec<u32>, GpuError> {
        let lost = |error: String| GpuError::Lost { reason: error };
        let len = bytes.end - bytes.start;
        if len == 0 {
            return Ok(Vec::new());
        }
        // A mapped range must start at a multiple of eight bytes.
        let from = bytes.start / 8 * 8;
        let slice = buffer.slice(from..bytes.end);
        let (send, receive) = std::sync::mpsc::channel();
        slice.map_async(wgpu::MapMode::Read, move |result| {
            let _ = send.send(result);
        });
        self.wait()?;
        match receive.recv() {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(lost(error.to_string())),
            Err(error) => return Err(lost(error.to_string())),
        }
        let view = slice.get_mapped_range().map_err(|error| lost(error.to_string()))?;
        let words = bytemuck::pod_collect_to_vec(&view[(bytes.start - from) as usize..]);
        drop(view);
        buffer.unmap();
        let mut state = self.state.lock().expect("no holder panics");
        state.counters.downloads += 1;
        match self.shares_memory {
            true => state.counters.bytes_shared += len,
            false => state.counters.bytes_down += len,
        }
        Ok(words)
    }
}
