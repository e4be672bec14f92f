import HealthTesting
import Testing

/// What `import` reports of an export's electrocardiograms.
@Suite(.inTestAll) struct ElectrocardiogramReportTests {
    private static let file = """
        Name,Jane Doe
        Date of Birth,"Jan 8, 2002"
        Recorded Date,2024-05-30 16:32:18 -0700
        Classification,Sinus Rhythm
        Symptoms,
        Software Version,1.90
        Device,"Watch7,12"
        Sample Rate,512 hertz


        Lead,Lead I
        Unit,µV

        -265.868
        12.5

        """

    private func report(_ files: [String], day: Int, in folder: TemporaryFolder) throws -> String {
        let xml = """
            <HealthData><ExportDate value="2024-06-0\(day) 10:00:00 +0200"/>
            <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" \
            startDate="2024-05-28 07:00:00 +0200" endDate="2024-05-28 07:10:00 +0200" value="5"/>
            </HealthData>
            """
        let export = "export-\(day)"
        try folder.write("\(export)/export.xml", xml)
        for (index, file) in files.enumerated() {
            let name = "\(export)/electrocardiograms/ecg_\(index).csv"
            try folder.write(name, file)
        }
        let run = try CommandRun(
            ["import", folder.path + "/" + export, "--time-zone", "UTC"],
            store: folder.path + "/health.sqlite")
        #expect(run.status == 0, "\(run.errors)")
        return (run.output + run.errors).split { $0.isWhitespace }.joined(separator: " ")
    }

    @Test("files that are no samples, unreadable voltages and unknown words are counted")
    func counts() throws {
        let folder = try TemporaryFolder()
        let second = Self.file.replacing("05-30", with: "05-29")
        let third = Self.file.replacing("05-30", with: "05-28")
        let text = try report(
            [
                Self.file.replacing("512", with: "0"), second.replacing("12.5", with: "12.5x"),
                third.replacing("Sinus Rhythm", with: "Eteisvärinä"),
            ], day: 1, in: folder)
        #expect(
            text.contains(
                "Electrocardiograms kept as files only: the rate is missing or not between 1 and "
                    + "100,000 hertz 1"))
        #expect(
            text.contains("Unreadable voltages of electrocardiograms, kept as no value: 1"))
        #expect(text.contains("Unknown classifications of electrocardiograms, kept: 1"))
        #expect(!text.contains("Eteis") && !text.contains("12.5x"))
    }

    @Test("a file that replaces one of the same recording is named, and one that doesn't too")
    func replacements() throws {
        let folder = try TemporaryFolder()
        let cut = Self.file.replacing("12.5\n", with: "")
        #expect(
            try report([cut], day: 1, in: folder)
                .contains("Other files, kept unchanged: electrocardiogram 1"))
        #expect(
            try report([Self.file], day: 2, in: folder)
                .contains("Other files, replaced by those of this export: electrocardiogram 1"))
        #expect(
            try report([cut], day: 3, in: folder).contains(
                "Other files, not replaced by different ones of this export: electrocardiogram 1"))
    }
}
