import Foundation
import HealthDashboard
import HealthEngine

@testable import HealthServer

extension PageExamples {
    static var why: WhyPage {
        func spans(_ hours: [(Double, Double)]) -> [WhyPage.Span] {
            hours.map {
                .init(
                    start: time(day, 0).addingTimeInterval($0.0 * 3600),
                    end: time(day, 0).addingTimeInterval($0.1 * 3600))
            }
        }
        func counted(_ hours: [(Double, Double, Double)]) -> [WhyPage.Counted] {
            hours.map {
                .init(
                    start: time(day, 0).addingTimeInterval($0.0 * 3600),
                    end: time(day, 0).addingTimeInterval($0.1 * 3600), value: $0.2)
            }
        }
        return WhyPage(
            freshness: freshness, timeZone: zone,
            sentence:
                "8,214 steps on 9 March 2024. Watch 6,120 · iPhone 2,094 · 5,377 duplicates "
                + "removed.",
            metric: .steps, name: "stepCount", day: day,
            interval: DateInterval(start: time(day, 0), end: time(day, 24)), unit: "count",
            sources: [
                .init(
                    source: "Watch", bundleIdentifier: "com.apple.health.watch", rank: 1,
                    samples: 212, contributed: 6120, duplicate: 0, contributedText: "6,120",
                    duplicateText: "0", recordedText: "6,120",
                    recorded: spans([
                        (7.2, 8.1), (8.6, 9.2), (12.1, 12.9), (17.5, 18.9), (20, 20.4),
                    ]),
                    counted: counted([
                        (7.2, 8.1, 1320), (8.6, 9.2, 640), (12.1, 12.9, 1480), (17.5, 18.9, 2260),
                        (20, 20.4, 420),
                    ]), lowered: ["phone", "com.apple.health.watch"]),
                .init(
                    source: "iPhone", bundleIdentifier: "phone", rank: 2, samples: 96,
                    contributed: 2094, duplicate: 5377, contributedText: "2,094",
                    duplicateText: "5,377", recordedText: "7,471",
                    recorded: spans([
                        (7.3, 8.1), (8.6, 9.3), (12.0, 13.0), (14.2, 15.6), (17.5, 18.7),
                    ]),
                    counted: counted([(9.2, 9.3, 60), (12.0, 12.1, 84), (14.2, 15.6, 1950)]),
                    raised: ["phone", "com.apple.health.watch"]),
            ],
            merged: 8214, mergedText: "8,214", duplicateText: "5,377", naive: 13_591,
            naiveText: "13,591",
            excluded: [
                .init(
                    source: "DayCounter", bundleIdentifier: "imported.daycounter", samples: 1,
                    recorded: 9001, recordedText: "9,001", reason: "it writes daily totals",
                    command: "openhealth sources include stepCount DayCounter")
            ], order: ["com.apple.health.watch", "phone"])
    }

    static var whyCalibrated: WhyPage {
        var page = why
        page.calibration = .init(
            sentence: "Another setting gives the steps in the Health app on that day.",
            days: [
                .init(
                    day: day, shownText: "8,432", currentText: "8,214", currentOffText: "-218",
                    bestText: "8,432", bestOffText: "fits")
            ], notes: ["A single day does not determine the order of all sources."],
            proposal: .init(order: ["phone", "com.apple.health.watch"]),
            commands: ["openhealth sources order stepCount iPhone Watch"])
        page.preview = .init(
            saved: 8214, savedText: "8,214", differenceText: "+218",
            commands: ["openhealth sources order stepCount iPhone Watch"])
        page.proposal = .init(order: ["phone", "com.apple.health.watch"])
        return page
    }

    static var data: DataPage {
        DataPage(
            freshness: freshness, timeZone: zone, timeZoneReason: "the time zone of most records",
            sentence: "512,340 samples of 34 types from 6 sources, last imported on 9 March 2024",
            imports: [
                .init(
                    file: "export.zip", exportDate: time(ago(0), 6, 12),
                    importedAt: time(ago(0), 6, 30),
                    kind: "snapshot",
                    kindText: "Complete, and newer than all earlier imports.",
                    bytes: 48_211_003, sizeText: "48.2 MB",
                    tallies: [
                        .init(
                            kind: "records", read: 512_101, new: 1204, unchanged: 510_800,
                            changed: 12, repeated: 81, quarantined: 4),
                        .init(
                            kind: "workouts", read: 239, new: 2, unchanged: 237, changed: 0,
                            repeated: 0, quarantined: 0),
                    ], vanished: 17)
            ],
            types: [
                .init(
                    name: "heartRate", words: "heart rate", unit: "count/min", samples: 301_442,
                    first: CivilDate(2019, 5, 2), last: day, link: "/type/heartRate"),
                .init(
                    name: "stepCount", words: "steps", unit: "count", samples: 88_120,
                    first: CivilDate(2016, 1, 4), last: day, link: "/type/stepCount"),
                .init(
                    name: "workout", words: "workouts", unit: nil, samples: 239,
                    first: CivilDate(2019, 5, 3), last: day, link: "/workouts"),
            ],
            sources: [
                .init(
                    name: "Anna’s Watch", bundleIdentifier: "com.apple.health.1", rank: 1,
                    samples: 390_002, first: CivilDate(2019, 5, 2), last: day),
                .init(
                    name: "DayCounter", bundleIdentifier: "imported.daycounter.1a2b3c4d", rank: 4,
                    samples: 812, first: CivilDate(2021, 1, 1), last: ago(90),
                    excludedFrom: [
                        .init(type: "stepCount", words: "steps", reason: "it writes daily totals")
                    ]),
            ],
            grants: [
                .init(
                    program: "org.example.diary", reads: ["steps", "weight"], saves: ["weight"],
                    denied: ["heart rate"])
            ], samples: 512_340, bytes: 61_000_000, sizeText: "61.0 MB", file: "health.sqlite")
    }

    static var checkUp: DataQualityPage {
        DataQualityPage(
            freshness: freshness, timeZone: zone,
            sentence: "3 findings, none of which changes yesterday’s numbers",
            findings: [
                .init(
                    kind: .inactiveSource,
                    sentence: "Ring wrote sleep on 24 of 28 days, then stopped 12 days ago.",
                    since: ago(12), type: "sleep", source: "Ring", count: 12,
                    advice: "Check in its app that it is allowed to write to Health.",
                    link: "/sleep"),
                .init(
                    kind: .dayTotals,
                    sentence: "DayCounter is excluded: it writes daily totals of steps.",
                    type: "steps", source: "DayCounter", count: 812,
                    advice: "No action is needed. To include it:",
                    command: "openhealth sources include stepCount DayCounter"),
                .init(
                    kind: .twoTrackers,
                    sentence: "Watch and Ring both recorded sleep on 17 nights.",
                    count: 17, advice: "The Watch takes precedence. See a night on the Sleep page.",
                    link: "/sleep"),
            ],
            examined: DateInterval(start: time(ago(90), 0), end: time(day, 24)),
            notes: ["Impossible values were looked for in all of 512,340 samples."])
    }

    /// Every page, with a name.
    static var all: [(name: String, html: String)] {
        let frame = PageFrame(formKey: "key")
        return [
            ("today", today.html(frame)), ("trends", trends().html(frame)),
            ("trends-steps", trends(.steps).html(frame)),
            ("trends-long", trends(.heartRate, days: 365).html(frame)),
            ("sleep", sleep.html(frame)), ("workouts", workouts(nil).html(frame)),
            ("workout", workouts(detail).html(frame)), ("weight", weight.html(frame)),
            ("why", why.html(frame)), ("why-calibrated", whyCalibrated.html(frame)),
            ("data", data.html(frame)),
            ("check-up", checkUp.html(frame)),
            ("nothing", frame.html(ViewState<SummaryPage>.loading)),
            ("empty", frame.html(ViewState<SleepPage>.empty(asOf: freshness.asOf), timeZone: zone)),
            (
                "unavailable",
                frame.html(
                    ViewState.unavailable(.locked, last: weight, asOf: freshness.asOf),
                    timeZone: zone)
            ),
        ]
    }
}
