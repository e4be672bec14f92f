import Foundation
import HealthEngine

/// UUIDs for received samples of routes that have none, derived from what identifies the sample.
///
/// They are of version 8, like those of imported samples, with another bit pattern, so that the one
/// isn't taken for the other:
///
/// ```
/// [ hash : 48 ][ 8 : 4 ][ 1 : 1 ][ kind : 2 ][ hash : 9 ][ 2 : 2 ][ hash : 62 ]
/// ```
enum IntakeUUID {
    private enum Kind: UInt64 { case content = 0, point = 1, workout = 2, day = 3 }

    /// Returns the UUID of a sample that its type, source, start, end and value identify.
    ///
    /// - Parameters:
    ///   - sample: The sample.
    ///   - source: The hash of its source, see ``Interning/sourceNumber(_:)``.
    ///   - isPoint: Whether the end isn't known.
    static func content(_ sample: Sample, source: UInt64, isPoint: Bool) -> SampleUUID {
        uuid(
            isPoint ? .point : .content,
            [
                UInt64(UInt32(bitPattern: sample.type)), source, bits(sample.start),
                bits(sample.end), sample.value.bitPattern,
            ])
    }

    /// Returns the UUID of a workout that its activity and times identify.
    static func workout(_ sample: Sample, activity: Int) -> SampleUUID {
        uuid(
            .workout, [UInt64(bitPattern: Int64(activity)), bits(sample.start), bits(sample.end)])
    }

    /// Returns the UUID of the activity summary of a day, given by its start.
    static func day(startingAt start: Double) -> SampleUUID { uuid(.day, [bits(start)]) }

    /// Returns whether a UUID is that of a point.
    static func isPoint(_ uuid: SampleUUID) -> Bool {
        uuid.high & 0xFE00 == 0x8800 | Kind.point.rawValue << 9 && uuid.low >> 62 == 0b10
    }

    /// Returns whether a UUID is that of a workout that its activity and times identify.
    static func isWorkout(_ uuid: SampleUUID) -> Bool {
        uuid.high & 0xFE00 == 0x8800 | Kind.workout.rawValue << 9 && uuid.low >> 62 == 0b10
    }

    /// Returns whether a UUID is one of these, and so not HealthKit's.
    static func isDerived(_ uuid: SampleUUID) -> Bool {
        uuid.high & 0xF800 == 0x8800 && uuid.low >> 62 == 0b10
    }

    /// Returns whether a UUID is derived, here or by a sender, and so not HealthKit's.
    static func isOfVersion8(_ uuid: SampleUUID) -> Bool {
        uuid.high & 0xF000 == 0x8000 && uuid.low >> 62 == 0b10
    }

    private static func bits(_ seconds: Double) -> UInt64 {
        UInt64(bitPattern: ImportedIdentity.milliseconds(seconds))
    }

    private static func uuid(_ kind: Kind, _ parts: [UInt64]) -> SampleUUID {
        func hash(_ seed: UInt64) -> UInt64 {
            parts.reduce(ImportedIdentity.mix(seed ^ kind.rawValue)) {
                ImportedIdentity.mix($0 ^ $1)
            }
        }
        let (first, second) = (hash(0x6F68_6B31), hash(0x6F68_6B32))
        let high =
            first & 0xFFFF_FFFF_FFFF_0000 | 0x8800 | kind.rawValue << 9 | first & 0x1FF
        return SampleUUID(high: high, low: 1 << 63 | second >> 2)
    }
}

extension SampleUUID {
    /// Creates a UUID from its 16 bytes; nil for any other number of bytes.
    init?(blob: Data) {
        guard blob.count == 16 else { return nil }
        func half(_ bytes: Data) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: half(blob.prefix(8)), low: half(blob.suffix(8)))
    }

    /// The 16 bytes as a statement's argument.
    var blob: Data {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Data($0) }
    }
}
