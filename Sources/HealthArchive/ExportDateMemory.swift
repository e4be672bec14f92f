/// Reads dates in the one form of all exports since iOS 9, `2024-03-10 08:30:00 +0100`, of which the
/// day and the offset mostly are those of one read just before; any other as ``ExportDate`` does.
struct ExportDateMemory {
    /// The bytes of a date but for its time of day: `2024-03-`, `10`, ` +`, `0100`.
    private struct Frame: Equatable {
        var month: UInt64 = 0
        var day: UInt16 = 0
        var sign: UInt16 = 0
        var offset: UInt32 = 0
    }

    private var frame = Frame()
    /// Milliseconds since 2001-01-01T00:00:00Z at midnight of the frame.
    private var midnight: Int64 = 0

    /// Reference seconds, or nil.
    @inline(__always)
    mutating func seconds(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        guard bytes.count == 25, bytes[10] == UInt8(ascii: " "), let start = bytes.baseAddress,
            let time = ExportDateMemory.timeOfDay(ByteWord.load(start + 11))
        else { return ExportDate.seconds(bytes) }
        let raw = UnsafeRawPointer(start)
        let frame = Frame(
            month: raw.loadUnaligned(as: UInt64.self),
            day: raw.loadUnaligned(fromByteOffset: 8, as: UInt16.self),
            sign: raw.loadUnaligned(fromByteOffset: 19, as: UInt16.self),
            offset: raw.loadUnaligned(fromByteOffset: 21, as: UInt32.self))
        if frame != self.frame {
            guard let (milliseconds, _) = ExportDate.parse(bytes) else { return nil }
            self.frame = frame
            midnight = milliseconds - time
        }
        return Double(midnight + time) / 1000
    }

    /// The milliseconds that the eight bytes of `08:30:00` are; nil for what is no such time.
    @inline(__always)
    private static func timeOfDay(_ text: UInt64) -> Int64? {
        // Digits become their values, colons 0; adding 6 takes what is above 9 beyond four bits.
        let digits = text ^ 0x3030_3A30_303A_3030
        let carried = digits &+ 0x0606_0006_0600_0606
        guard (digits | carried) & 0xF0F0_FFF0_F0FF_F0F0 == 0 else { return nil }
        func number(_ shift: UInt64) -> Int64 {
            Int64(digits >> shift & 0xF) * 10 + Int64(digits >> (shift + 8) & 0xF)
        }
        let (hour, minute, second) = (number(0), number(24), number(48))
        guard hour < 24, minute < 60, second <= 60 else { return nil }
        return (hour * 3600 + minute * 60 + second) * 1000
    }
}
