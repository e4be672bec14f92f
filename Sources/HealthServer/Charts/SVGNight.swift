import Foundation
import HealthDashboard
import HealthEngine

/// A chart of a night with one row for each sleep stage, in four steps of lightness, and the time in each
/// stage at the right. The table names the source of each interval.
struct SVGNight {
    static let rowHeight = 32.0

    let night: SleepNight
    let calendar: Calendar

    /// The stages from top to bottom. A night's chart has only the stages that occur in it.
    static let order: [SleepStage] = [.awake, .rem, .core, .asleep, .deep, .inBed]

    var figure: HTML {
        let stages = Self.order.filter { stage in
            night.mergedIntervals.contains { $0.stage == stage }
        }
        let time = ChartTimeAxis(night.interval, calendar: calendar)
        let height = Double(stages.count) * Self.rowHeight
        var (drawing, sums) = (HTML.empty, HTML.empty)
        for (index, stage) in stages.enumerated() {
            let y = Double(index) * Self.rowHeight
            drawing += """
                <line class="grid" x1="0" x2="100%" y1="\(length: y + Self.rowHeight)" \
                y2="\(length: y + Self.rowHeight)"/>
                """
            sums += """
                <text class="lane" x="8" y="\(length: y + 21)">\(stage.label)</text>\
                <text class="sum" x="100%" y="\(length: y + 21)" text-anchor="end">\
                \(NumberText.hours(night.seconds(stage)))</text>
                """
        }
        drawing += time.drawing(top: 0, height: height)
        for mergedInterval in joined where mergedInterval.end > mergedInterval.start {
            guard let index = stages.firstIndex(of: mergedInterval.stage) else { continue }
            drawing += HTML.bar(
                mergedInterval.stage.fill, x: time.x(mergedInterval.start),
                width: max(0.2, time.x(mergedInterval.end) - time.x(mergedInterval.start)),
                y: Double(index) * Self.rowHeight + 6, height: Self.rowHeight - 12)
        }
        return ChartFigure(
            title: "Sleep by stage", description: description(stages), drawing: drawing,
            height: height + ChartFigure.bottomMargin, axis: sums,
            axisWidth: stages.contains(.inBed) ? 124 : 96,
            head: "From",
            columns: [
                .init(title: "to"), .init(title: "stage", isNumber: false),
                .init(title: "hours"), .init(title: "source", isNumber: false),
            ],
            rows: joined.map { row($0, time) }
        ).html
    }

    /// The night's intervals. Successive ones that touch and have the same stage and source are
    /// joined.
    private var joined: [SleepNight.MergedInterval] {
        var joined: [SleepNight.MergedInterval] = []
        for mergedInterval in night.mergedIntervals {
            if let last = joined.last, last.end == mergedInterval.start,
                last.stage == mergedInterval.stage,
                last.source == mergedInterval.source
            {
                joined[joined.count - 1].end = mergedInterval.end
            } else {
                joined.append(mergedInterval)
            }
        }
        return joined
    }

    private func description(_ stages: [SleepStage]) -> String {
        let parts = stages.map { "\($0.label.lowercased()) \(NumberText.hours(night.seconds($0)))" }
        let asleep = night.asleep.map { "Asleep \(NumberText.hours($0)) hours" }
        return (asleep ?? "No sleep was recorded") + ", from "
            + "\(PageDateText.clock(night.interval.start, calendar)) to "
            + "\(PageDateText.clock(night.interval.end, calendar)): \(parts.joined(separator: ", "))."
    }

    private func row(_ mergedInterval: SleepNight.MergedInterval, _ time: ChartTimeAxis)
        -> ChartFigure.Row
    {
        ChartFigure.Row(
            x: (time.x(mergedInterval.start) + time.x(mergedInterval.end)) / 2,
            head: PageDateText.clock(mergedInterval.start, calendar),
            cells: [
                "\(PageDateText.clock(mergedInterval.end, calendar))",
                "\(mergedInterval.stage.label)",
                "\(NumberText.hours(mergedInterval.end.timeIntervalSince(mergedInterval.start)))",
                "\(name: mergedInterval.source)",
            ])
    }
}

extension SleepStage {
    /// The class that fills a shape with the stage's step of lightness.
    var fill: HTML {
        switch self {
        case .inBed: "st-inBed"
        case .awake: "st-awake"
        case .rem: "st-rem"
        case .core: "st-core"
        case .deep: "st-deep"
        case .asleep: "st-asleep"
        }
    }

    /// The stage's label, such as "REM".
    var label: String {
        switch self {
        // In this row is only the time in bed for which no stage is known.
        case .inBed: "In bed only"
        case .awake: "Awake"
        case .rem: "REM"
        case .core: "Core"
        case .deep: "Deep"
        case .asleep: "Asleep"
        }
    }
}
