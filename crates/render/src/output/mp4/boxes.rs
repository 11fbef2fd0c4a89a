//! The boxes of an MP4 file with one track of H.264 (ISO/IEC 14496-12 and -15): pictures first,
//! then the index of them.

/// Pictures that lie together under one offset.
pub(super) const SAMPLES_PER_CHUNK: u32 = 32;
/// Ticks of one picture; the ticks of a second follow from it.
const TICKS: u32 = 1000;
/// The picture is neither turned nor scaled: 1 in fixed point of 16 and of 30 bits.
const UNIT_MATRIX: [u32; 9] = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000];

/// All that the index needs to know.
#[derive(Debug)]
pub(super) struct Movie {
    width: u32,
    height: u32,
    ticks_per_second: u32,
    sizes: Vec<u32>,
    keys: Vec<u32>,
    pub(super) chunk_offsets: Vec<u64>,
    pub(super) sequence_parameters: Vec<u8>,
    pub(super) picture_parameters: Vec<u8>,
}

/// The first box: what kind of file it is.
pub(super) fn file_type() -> Vec<u8> {
    let mut body = b"isom".to_vec();
    body.extend(0x200u32.to_be_bytes());
    body.extend(b"isomiso2avc1mp41");
    boxed(b"ftyp", &body)
}

/// The start of the box of pictures; its length of eight bytes is written at the end.
pub(super) fn open_data() -> Vec<u8> {
    let mut start = 1u32.to_be_bytes().to_vec();
    start.extend(b"mdat");
    start.extend(0u64.to_be_bytes());
    start
}

impl Movie {
    pub(super) fn new(width: u32, height: u32, fps: f64) -> Movie {
        Movie {
            width,
            height,
            ticks_per_second: (fps * f64::from(TICKS)).round().max(1.0) as u32,
            sizes: Vec::new(),
            keys: Vec::new(),
            chunk_offsets: Vec::new(),
            sequence_parameters: Vec::new(),
            picture_parameters: Vec::new(),
        }
    }

    pub(super) fn samples(&self) -> u32 {
        self.sizes.len() as u32
    }

    pub(super) fn add_sample(&mut self, size: u32, key: bool) {
        self.sizes.push(size);
        if key {
            self.keys.push(self.samples());
        }
    }

    /// The box that comes after the pictures.
    pub(super) fn index(&self) -> Vec<u8> {
        boxed(b"moov", &[self.movie_header(), self.track()].concat())
    }

    fn duration(&self) -> u32 {
        self.samples().saturating_mul(TICKS)
    }

    fn movie_header(&self) -> Vec<u8> {
        // Times of making and changing are left at zero: the same pictures are the same bytes.
        let mut body = numbers(&[0, 0, 0, self.ticks_per_second, self.duration(), 0x1_0000]);
        body.extend([1, 0, 0, 0]);
        body.extend([0; 8]);
        body.extend(numbers(&UNIT_MATRIX));
        body.extend([0; 24]);
        body.extend(numbers(&[2]));
        boxed(b"mvhd", &body)
    }

    fn track(&self) -> Vec<u8> {
        // Flags 3: enabled, and part of the movie.
        let mut body = numbers(&[3, 0, 0, 1, 0, self.duration()]);
        body.extend([0; 16]);
        body.extend(numbers(&UNIT_MATRIX));
        body.extend(numbers(&[self.width << 16, self.height << 16]));
        boxed(b"trak", &[boxed(b"tkhd", &body), self.media()].concat())
    }

    fn media(&self) -> Vec<u8> {
        let mut header = numbers(&[0, 0, 0, self.ticks_per_second, self.duration()]);
        // Language "und", three letters of five bits.
        header.extend([0x55, 0xc4, 0, 0]);
        let mut handler = numbers(&[0, 0]);
        handler.extend(b"vide");
        handler.extend([0; 12]);
        handler.extend(b"VideoHandler\0");
        let parts = [boxed(b"mdhd", &header), boxed(b"hdlr", &handler), self.media_information()];
        boxed(b"mdia", &parts.concat())
    }

    fn media_information(&self) -> Vec<u8> {
        let video = boxed(b"vmhd", &[0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
        let here = boxed(b"url ", &numbers(&[1]));
        let references = boxed(b"dref", &[numbers(&[0, 1]), here].concat());
        boxed(b"minf", &[video, boxed(b"dinf", &references), self.sample_table()].concat())
    }

    fn sample_table(&self) -> Vec<u8> {
        let description = [numbers(&[0, 1]), self.sample_entry()].concat();
        let times = numbers(&[0, 1, self.samples(), TICKS]);
        let keys = [numbers(&[0, self.keys.len() as u32]), numbers(&self.keys)].concat();
        let sizes = [numbers(&[0, 0, self.samples()]), numbers(&self.sizes)].concat();
        let mut offsets = numbers(&[0, self.chunk_offsets.len() as u32]);
        offsets.extend(self.chunk_offsets.iter().flat_map(|offset| offset.to_be_bytes()));
        let parts = [
            boxed(b"stsd", &description),
            boxed(b"stts", &times),
            boxed(b"stss", &keys),
            boxed(b"stsc", &self.chunks()),
            boxed(b"stsz", &sizes),
            boxed(b"co64", &offsets),
        ];
        boxed(b"stbl", &parts.concat())
    }

    /// Runs of chunks of equal length: all full ones, and the last one where it is shorter.
    fn chunks(&self) -> Vec<u8> {
        let full = self.samples() / SAMPLES_PER_CHUNK;
        let rest = self.samples() % SAMPLES_PER_CHUNK;
        let mut runs: Vec<[u32; 3]> = Vec::new();
        if full > 0 {
            runs.push([1, SAMPLES_PER_CHUNK, 1]);
        }
        if rest > 0 {
            runs.push([full + 1, rest, 1]);
        }
        [numbers(&[0, runs.len() as u32]), numbers(runs.as_flattened())].concat()
    }

    fn sample_entry(&self) -> Vec<u8> {
        let mut body = vec![0, 0, 0, 0, 0, 0, 0, 1];
        body.extend([0; 16]);
        body.extend((self.width as u16).to_be_bytes());
        body.extend((self.height as u16).to_be_bytes());
        // 72 dots an inch, one picture a sample, no name, 24 bits, no colour table.
        body.extend(numbers(&[0x48_0000, 0x48_0000, 0]));
        body.extend(1u16.to_be_bytes());
        body.extend([0; 32]);
        body.extend(24u16.to_be_bytes());
        body.extend([0xff, 0xff]);
        body.extend(self.decoder_configuration());
        // BT.709 primaries, transfer and matrix, limited range.
        body.extend(boxed(b"colr", &[b"nclx".as_slice(), &[0, 1, 0, 1, 0, 1, 0]].concat()));
        boxed(b"avc1", &body)
    }

    fn decoder_configuration(&self) -> Vec<u8> {
        let byte = |index: usize| self.sequence_parameters.get(index).copied().unwrap_or(0);
        // Version, profile, compatibility, level; lengths of four bytes; one set of each kind of
        // parameters.
        let mut body = vec![1, byte(1), byte(2), byte(3), 0xff, 0xe1];
        body.extend((self.sequence_parameters.len() as u16).to_be_bytes());
        body.extend(&self.sequence_parameters);
        body.push(1);
        body.extend((self.picture_parameters.len() as u16).to_be_bytes());
        body.extend(&self.picture_parameters);
        boxed(b"avcC", &body)
    }
}

fn boxed(kind: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let mut out = (body.len() as u32 + 8).to_be_bytes().to_vec();
    out.extend(kind);
    out.extend(body);
    out
}

fn numbers(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_be_bytes()).collect()
}
