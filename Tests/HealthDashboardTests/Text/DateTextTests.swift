import HealthEngine
import Testing

@testable import HealthDashboard

@Suite struct DateTextTests {
    @Test(
        "a span of days is in the order of the reader's dates, and says a shared year once",
        arguments: [
            (.british, ["4–10 Mar 2024", "26 Feb – 3 Mar 2024", "30 Dec 2024 – 5 Jan 2025"]),
            (.french, ["4–10 Mar 2024", "26 Feb – 3 Mar 2024", "30 Dec 2024 – 5 Jan 2025"]),
            (.german, ["4.–10. Mar 2024", "26. Feb – 3. Mar 2024", "30. Dec 2024 – 5. Jan 2025"]),
            (.american, ["Mar 4–10, 2024", "Feb 26 – Mar 3, 2024", "Dec 30, 2024 – Jan 5, 2025"]),
        ] as [(PageSettings.Notation, [String])])
    func span(notation: PageSettings.Notation, texts: [String]) {
        PageSettings.$current.withValue(PageSettings(notation: notation)) {
            #expect(
                texts == [
                    DateText.span(CivilDate(2024, 3, 4), CivilDate(2024, 3, 10)),
                    DateText.span(CivilDate(2024, 2, 26), CivilDate(2024, 3, 3)),
                    DateText.span(CivilDate(2024, 12, 30), CivilDate(2025, 1, 5)),
                ])
        }
    }
}
