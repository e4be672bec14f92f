import Foundation
import HealthEngine
import HealthTesting
import Testing

/// Kept files of electrocardiograms, in several languages.
@Suite struct ElectrocardiogramRecordingTests {
    private static let english = """
        Recorded Date,2026-05-30 16:32:18 -0700
        Classification,Sinus Rhythm
        Symptoms,
        Software Version,1.90
        Device,"Watch6,1"
        Sample Rate,512 hertz


        Lead,Lead I
        Unit,µV

        -265.868
        12
        0.5
        """

    private static let german = """
        Aufzeichnungsdatum,2026-05-30 16:32:18 +0200
        Klassifizierung,Sinusrhythmus
        Symptome,Ohne
        Softwareversion,1.90
        Gerät,"Watch6,1"
        Abtastrate,"511,562\u{A0}Hertz"

        Ableitung,Ableitung I
        Einheit,μV

        -265,868
        12
        0,5
        """

    @Test("the rate, the classification and the voltages are read in each language")
    func languages() throws {
        let first = try #require(
            ElectrocardiogramRecording(file: Array(Self.english.utf8), recorded: 7))
        #expect(first.start == 7 && first.rate == 512)
        #expect(first.classification == "Sinus Rhythm")
        #expect(first.microvolts == [-265.868, 12, 0.5])
        let second = try #require(
            ElectrocardiogramRecording(file: Array(Self.german.utf8), recorded: 7))
        #expect(second.rate == 511.562 && second.microvolts == first.microvolts)
        let japanese = Self.english.replacing("512 hertz", with: "512ヘルツ")
        #expect(
            ElectrocardiogramRecording(file: Array(japanese.utf8), recorded: 7)?.rate == 512)
    }

    @Test("millivolts become microvolts, and a line that is no number keeps its place")
    func odd() throws {
        let text = Self.english.replacing("µV", with: "mV").replacing("12", with: "error")
            .replacing("5error", with: "512")
        let recording = try #require(
            ElectrocardiogramRecording(file: Array(text.utf8), recorded: 0))
        #expect(recording.microvolts.count == 3)
        #expect(recording.microvolts[0] == -265_868 && recording.microvolts[1].isNaN)
    }

    private func microvolts(_ lines: String) -> [Double]? {
        let text = Self.english.replacing("-265.868\n12\n0.5", with: lines)
        return ElectrocardiogramRecording(file: Array(text.utf8), recorded: 0)?.microvolts
    }

    @Test("voltages may have another minus sign, an exponent or quotes")
    func notations() {
        #expect(microvolts("\u{2212}1.5\n\u{2012}2,5\n\u{2013}3") == [-1.5, -2.5, -3])
        #expect(microvolts("1.234567e3\n-2E-1\n1e+2") == [1_234.567, -0.2, 100])
        #expect(microvolts("\"-72,654\"\n\"12\"\r\n\"\u{2212}1\"") == [-72.654, 12, -1])
        let others = microvolts("1\n--2\n1-2\n1,2.3\ne5\n0x1\n\"1")?.dropFirst()
        #expect(others?.count == 6 && others?.allSatisfy(\.isNaN) == true)
    }

    @Test(
        "an unreadable voltage keeps its place, also before all others",
        arguments: ["x", "x,y", "?", "nan", "1e999", "\u{FFFD}", "\"\""])
    func leading(unreadable: String) throws {
        for file in [Self.english, Self.english.replacing("µV\n\n", with: "µV\n")] {
            // Without the blank line, a label with a value is a part of the heading.
            if file != Self.english, unreadable == "x,y" { continue }
            let text = file.replacing("-265.868", with: "\(unreadable)\n\(unreadable)")
            let reading = ElectrocardiogramReading(Array(text.utf8))
            #expect(reading.microvolts.map(\.isNaN) == [true, true, false, false])
            #expect(reading.microvolts.suffix(2) == [12, 0.5])
            #expect(reading.unreadableCount == 2 && reading.fault == nil)
        }
    }

    @Test("a label with a value after the unit belongs to the heading")
    func furtherLabels() {
        let text = Self.english.replacing("µV\n", with: "µV\nWrist,\"Left\"\n")
        #expect(
            ElectrocardiogramRecording(file: Array(text.utf8), recorded: 0)?.microvolts
                == [-265.868, 12, 0.5])
    }

    @Test(
        "a file that can't be a sample has a reason",
        arguments: [
            ("512 hertz", "0 hertz", ElectrocardiogramReading.Fault.noRate),
            ("512 hertz", "-512 hertz", .noRate), ("512 hertz", "1e300 hertz", .noRate),
            ("512 hertz", "1e-7 hertz", .noRate), ("512 hertz", "100001 hertz", .noRate),
            ("µV", "kg", .noUnit), ("-265.868\n12\n0.5", "a\nb", .noVoltages),
        ])
    func faults(words: String, others: String, fault: ElectrocardiogramReading.Fault) {
        let text = Self.english.replacing(words, with: others)
        #expect(ElectrocardiogramReading(Array(text.utf8)).fault == fault)
        #expect(ElectrocardiogramRecording(file: Array(text.utf8), recorded: 0) == nil)
    }

    @Test("a rate may have an exponent")
    func exponentRate() {
        let text = Self.english.replacing("512 hertz", with: "5.12e2 hertz")
        #expect(ElectrocardiogramReading(Array(text.utf8)).heading.rate == 512)
    }

    @Test("atrial fibrillation with a remark after a dash is atrial fibrillation in each language")
    func combined() {
        func heading(_ words: String) -> ElectrocardiogramHeading {
            let text = "Recorded Date,2026-05-30 16:32:18 -0700\nClassification,\(words)\n"
            return ElectrocardiogramHeading(Array(text.utf8))
        }
        for words in [
            "Vorhofflimmern - Hohe Herzfrequenz", "Fibrilación auricular \u{2013} x",
            "心房細動 \u{2014} x",
        ] {
            #expect(heading(words).classificationValue == 2)
            #expect(heading(words).unknownClassification == words)
            #expect(!heading(words).hasUnknownClassification)
        }
        for words in ["Vorhofflimmern-x", "Sinusrhythmus - x", "x - Vorhofflimmern"] {
            #expect(heading(words).classificationValue == 100)
            #expect(heading(words).hasUnknownClassification)
        }
    }

    @Test(
        "a file without a rate, a unit or voltages isn't read",
        arguments: ["Sample Rate,512 hertz", "Unit,µV", "-265.868\n12\n0.5"])
    func incomplete(missing: String) {
        let text = Self.english.replacing(missing, with: "")
        #expect(text != Self.english)
        #expect(ElectrocardiogramRecording(file: Array(text.utf8), recorded: 0) == nil)
    }

    @Test("numbers of a device have a rate, or times from which it follows")
    func numbers() throws {
        var numbers: [String: [Double]] = ["voltages": [1, 2, 3], "offsets": [0, 0.5, 1]]
        #expect(ElectrocardiogramRecording(numbers: numbers, start: 1)?.rate == 2)
        numbers["samplingFrequency"] = [512]
        numbers["classification"] = [2]
        let recording = try #require(ElectrocardiogramRecording(numbers: numbers, start: 1))
        #expect(recording.rate == 512 && recording.classification == "Atrial Fibrillation")
        #expect(ElectrocardiogramRecording(numbers: ["voltages": [1, 2]], start: 1) == nil)
        numbers["samplingFrequency"] = [0]
        #expect(ElectrocardiogramRecording(numbers: numbers, start: 1) == nil)
    }

    @Test("volts with times, as the push protocol sends them, become microvolts")
    func volts() throws {
        let numbers: [String: [Double]] = [
            "voltages": [0.00025, -0.001], "times": [0.5, 1], "samplingFrequency": [2],
        ]
        let recording = try #require(ElectrocardiogramRecording(numbers: numbers, start: 1))
        #expect(recording.microvolts == [250, -1000])
        #expect(recording.time(of: 1) == 1)
        let stored: [String: [Double]] = [
            "microvolts": [7, 8], "voltages": [1, 2], "samplingFrequency": [4],
        ]
        let other = try #require(ElectrocardiogramRecording(numbers: stored, start: 1))
        #expect(other.microvolts == [7, 8] && other.time(of: 1) == 0.25 && other.end == 1.5)
    }

    @Test("the heading's fields are found in English, German and Japanese")
    func headings() throws {
        let japanese = """
            記録日,2026-05-30 16:32:18 +0900
            分類,心房細動
            症状,なし
            ソフトウェアバージョン,2
            デバイス,"Watch7,12"
            平均心拍数,72拍/分
            サンプルレート,512ヘルツ


            リード,リードI
            単位,µV

            1

            """
        let headings = [Self.english, Self.german, japanese].map {
            ElectrocardiogramHeading(Array($0.utf8))
        }
        #expect(headings.map(\.classificationValue) == [1, 1, 2])
        #expect(headings.map(\.symptomsValue) == [0, 1, 1])
        #expect(headings.map(\.symptoms) == [nil, "Ohne", "なし"])
        #expect(headings.map(\.softwareVersion) == ["1.90", "1.90", "2"])
        #expect(headings.map(\.device) == ["Watch6,1", "Watch6,1", "Watch7,12"])
        #expect(headings.map(\.rate) == [512, 511.562, 512])
        #expect(headings.map(\.averageHeartRate) == [nil, nil, 72])
        #expect(headings.map(\.scale) == [1, 1, 1])
    }

    @Test(
        "classifications have HealthKit's values, and unknown words are kept",
        arguments: [
            ("Sinus Rhythm", 1), ("Rythme sinusal", 1), ("窦性心律", 1), ("Vorhofflimmern", 2),
            ("Atrial Fibrillation - High Heart Rate", 2), ("Heart Rate Under 50", 3),
            ("Heart Rate Over 120", 4), ("Inconclusive, Heart Rate Over 150", 4),
            ("Poor Recording", 5), ("Inconclusive", 6), ("Unrecognized", 100),
            ("No sinus rhythm", 100), ("", 0),
        ])
    func classifications(words: String, value: Int) {
        let text = "Recorded Date,2026-05-30 16:32:18 -0700\nClassification,\(words)\n"
        let heading = ElectrocardiogramHeading(Array(text.utf8))
        #expect(heading.classificationValue == value)
        #expect((heading.unknownClassification != nil) == (words == "No sinus rhythm"))
    }

    @Test("damaged files are read or refused, and never trap")
    func damage() {
        var random = SeededRandom(seed: TestTier.seed(31))
        let originals = [Self.english, Self.german].map { Array($0.utf8) }
        for round in 0..<3_000 {
            var file = originals[round % 2]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                Self.damage(&file, &random)
            }
            let recording = ElectrocardiogramRecording(file: file, recorded: 0)
            guard let recording else { continue }
            #expect((1...100_000).contains(recording.rate) && !recording.microvolts.isEmpty)
            #expect(recording.microvolts.allSatisfy { $0.isNaN || $0.isFinite })
            #expect(recording.end >= 0 && recording.numbers["classification"]?.count == 1)
        }
    }

    private static func damage(_ file: inout [UInt8], _ random: inout SeededRandom) {
        guard !file.isEmpty else { return }
        let place = Int.random(in: 0..<file.count, using: &random)
        let digits = String(repeating: "9", count: 400)
        let pieces = ["nan", "1e400", digits, ",", "\n", "\"", "µV", "\0"]
        switch Int.random(in: 0..<5, using: &random) {
        case 0: file.removeSubrange(place...)
        case 1: file[place] = UInt8.random(in: 0...255, using: &random)
        case 2:
            let end = min(file.count, place + Int.random(in: 1...60, using: &random))
            file.removeSubrange(place..<end)
        case 3:
            let piece = pieces[Int.random(in: 0..<pieces.count, using: &random)]
            file.insert(contentsOf: piece.utf8, at: place)
        default: file += Array(file[..<place])
        }
    }

    @Test("a heading without end is refused, and a huge number can't be read")
    func limits() {
        let endless = String(repeating: "a,b\n", count: 100_000)
        #expect(ElectrocardiogramRecording(file: Array(endless.utf8), recorded: 0) == nil)
        let huge = Self.english + "\n" + String(repeating: "9", count: 400) + "\n"
        let recording = ElectrocardiogramRecording(file: Array(huge.utf8), recorded: 0)
        #expect(recording?.microvolts.last?.isNaN == true)
    }

    @Test("more than two million voltages are refused", .inTestAll)
    func tooMany() {
        let heading = Self.english.replacing("-265.868\n12\n0.5", with: "")
        let many = Array(heading.utf8) + Array(String(repeating: "1\n", count: 2_000_001).utf8)
        #expect(ElectrocardiogramRecording(file: many, recorded: 0) == nil)
    }
}
