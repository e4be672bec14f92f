/// What can be read of an electrocardiogram's file, also if it can't be a sample.
package struct ElectrocardiogramReading: Sendable {
    /// Why a file can't be a sample.
    package enum Fault: String, Sendable {
        case noRate = "the rate is missing or not between 1 and 100,000 hertz"
        case noUnit = "the unit is missing or unknown"
        case tooManyVoltages = "more than 2,000,000 voltages"
        case noVoltages = "no readable voltages"
        case badDate = "the recorded date is out of range"
    }

    /// The heading of the file.
    package let heading: ElectrocardiogramHeading
    /// Microvolts; NaN for each that can't be read. Without a unit, the numbers as written.
    package private(set) var microvolts: [Double] = []
    /// Why the file can't be a sample; nil if it can.
    package private(set) var fault: Fault?
    /// The number of voltages that can be read.
    package private(set) var readableCount = 0

    /// Reads a kept file of an export, which begins with the line of the recorded date.
    ///
    /// Each line after the heading that isn't blank is a voltage (ExportFormat §4.2), and one that
    /// is no number a voltage that can't be read.
    ///
    /// - Parameter file: The bytes of the file.
    /// - Complexity: O(bytes).
    package init(_ file: [UInt8]) {
        heading = ElectrocardiogramHeading(file)
        let scale = heading.scale ?? 1
        let isEnd: (UInt8) -> Bool = { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        for bytes in file[heading.byteCount...].split(whereSeparator: isEnd) {
            let line = ElectrocardiogramLine(bytes)
            if line?.isEmpty == true { continue }
            guard microvolts.count < ElectrocardiogramRecording.maximumCount else {
                fault = .tooManyVoltages
                break
            }
            let value = (line?.number).map { $0 * scale }
            microvolts.append(value.flatMap { $0.isFinite ? $0 : nil } ?? .nan)
            if microvolts.last?.isNaN == false { readableCount += 1 }
        }
        if heading.rate == nil {
            fault = .noRate
        } else if heading.scale == nil {
            fault = .noUnit
        } else if fault == nil, readableCount == 0 {
            fault = .noVoltages
        }
    }

    /// The number of voltages that can't be read.
    package var unreadableCount: Int { microvolts.count - readableCount }

    /// Whether another file has the same recording, perhaps in another language.
    package func isSame(as other: ElectrocardiogramReading) -> Bool {
        heading.classificationValue == other.heading.classificationValue
            && (fault == nil) == (other.fault == nil)
            && microvolts.elementsEqual(other.microvolts) { $0 == $1 || $0.isNaN && $1.isNaN }
    }

    /// Whether less can be read than of another file. A file that can be a sample has more than one
    /// that can't, then that with more voltages, then that with a known classification, then that
    /// with a rate.
    package func hasLess(than other: ElectrocardiogramReading) -> Bool {
        rank.lexicographicallyPrecedes(other.rank)
    }

    private var rank: [Int] {
        let isClassified = heading.classification != nil && !heading.hasUnknownClassification
        return [
            fault == nil ? 1 : 0, readableCount, isClassified ? 1 : 0, heading.rate == nil ? 0 : 1,
        ]
    }
}
