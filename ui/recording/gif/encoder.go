package gif

import (
	"bufio"
	"compress/lzw"
	"encoding/binary"
	"image"
	"io"
	"math"
	"math/bits"
	"time"
)

// encoder writes a GIF frame by frame; image/gif wants all frames at once, and a long
// recording has hundreds of megabytes of them. Numbers in comments are the sections of the
// specification, GIF89a.
type encoder struct {
	w           *bufio.Writer
	err         error // the first that there was; then nothing more is written
	packer      *lzw.Writer
	bits        int   // of a pixel
	transparent uint8 // the index of pixels that stay what they are
	pixels      []byte
	begun       bool
}

// unit is what delays are counted in.
const unit = 10 * time.Millisecond

// newEncoder begins a GIF of pictures like the given one, which has at most 255 colours.
func newEncoder(w io.Writer, like *image.Paletted) *encoder {
	colours := like.Palette
	e := &encoder{w: bufio.NewWriter(w), transparent: uint8(len(colours))}
	e.bits = max(2, bits.Len8(e.transparent))
	e.packer = lzw.NewWriter(nil, lzw.LSB, e.bits).(*lzw.Writer)

	e.put([]byte("GIF89a")...)
	e.numbers(like.Rect.Dx(), like.Rect.Dy()) // 18: the logical screen
	e.put(0x80|0x70|byte(e.bits-1), 0, 0)     // with a global table of colours, of 2^bits
	for i := range 1 << e.bits {              // 19: the table
		if i >= len(colours) {
			e.put(0, 0, 0)
			continue
		}
		r, g, b, _ := colours[i].RGBA()
		e.put(byte(r>>8), byte(g>>8), byte(b>>8))
	}
	e.put([]byte("\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")...) // 26: again, for ever
	return e
}

// frame writes what changed between what is shown and a picture, which stays for a delay.
func (e *encoder) frame(picture, shown *image.Paletted, changed image.Rectangle, delay time.Duration) {
	if !e.begun {
		changed = picture.Rect
	} else if changed.Empty() {
		changed = image.Rect(0, 0, 1, 1)
	}
	e.put(0x21, 0xf9, 4, 1<<2|1) // 23: how to show it: it stays, and one colour is transparent
	e.numbers(int(min(delay/unit, math.MaxUint16)))
	e.put(e.transparent, 0)
	e.put(0x2c) // 20: the image's place
	e.numbers(changed.Min.X, changed.Min.Y, changed.Dx(), changed.Dy())
	e.put(0, byte(e.bits)) // 22: the image, in blocks

	blocks := &blocks{encoder: e}
	e.packer.Reset(blocks, lzw.LSB, e.bits)
	for y := changed.Min.Y; y < changed.Max.Y && e.err == nil; y++ {
		from, to := picture.PixOffset(changed.Min.X, y), picture.PixOffset(changed.Max.X, y)
		e.pixels = append(e.pixels[:0], picture.Pix[from:to]...)
		if e.begun {
			for i, before := range shown.Pix[from:to] {
				if before == e.pixels[i] {
					e.pixels[i] = e.transparent
				}
			}
		}
		if _, err := e.packer.Write(e.pixels); e.err == nil {
			e.err = err
		}
	}
	if err := e.packer.Close(); e.err == nil {
		e.err = err
	}
	blocks.end()
	e.begun = true
}

// close ends the GIF.
func (e *encoder) close() error {
	e.put(0x3b) // 27
	if e.err != nil {
		return e.err
	}
	return e.w.Flush()
}

func (e *encoder) put(data ...byte) {
	if e.err == nil {
		_, e.err = e.w.Write(data)
	}
}

func (e *encoder) numbers(ns ...int) {
	for _, n := range ns {
		e.put(binary.LittleEndian.AppendUint16(nil, uint16(n))...)
	}
}

// blocks cuts an image's data into blocks of up to 255 bytes, each after its length (15).
type blocks struct {
	*encoder
	block [255]byte
	n     int
}

func (b *blocks) Write(data []byte) (int, error) {
	for rest := data; len(rest) > 0; {
		n := copy(b.block[b.n:], rest)
		b.n, rest = b.n+n, rest[n:]
		if b.n == len(b.block) {
			b.flush()
		}
	}
	return len(data), b.err
}

func (b *blocks) flush() {
	if b.n > 0 {
		b.put(byte(b.n))
		b.put(b.block[:b.n]...)
		b.n = 0
	}
}

// end writes what is left, and the empty block that ends an image.
func (b *blocks) end() {
	b.flush()
	b.put(0)
}
