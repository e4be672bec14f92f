import HealthFormats
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
}
