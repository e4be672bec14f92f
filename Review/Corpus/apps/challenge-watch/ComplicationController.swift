import ClockKit
import HealthKit

class ComplicationController: NSObject, CLKComplicationDataSource {

    let healthStore = HKHealthStore()
    private var cached = 0

    func complicationDescriptors() async -> [CLKComplicationDescriptor] {
        [CLKComplicationDescriptor(
            identifier: "steps", displayName: "Challenge", supportedFamilies: CLKComplicationFamily.allCases)]
    }

    func currentTimelineEntry(for complication: CLKComplication) async -> CLKComplicationTimelineEntry? {
        let steps = await todaysSteps() ?? cached
        cached = steps
        guard let template = template(for: complication.family, steps: steps) else { return nil }
        return CLKComplicationTimelineEntry(date: .now, complicationTemplate: template)
    }

    private func todaysSteps() async -> Int? {
        await withCheckedContinuation { continuation in
            let query = HKStatisticsQuery(
                quantityType: HKQuantityType(.stepCount),
                quantitySamplePredicate: HKQuery.predicateForSamples(
                    withStart: Calendar.current.startOfDay(for: .now), end: .now),
                options: .cumulativeSum
            ) { _, statistics, _ in
                let sum = statistics?.sumQuantity()?.doubleValue(for: .count())
                continuation.resume(returning: sum.map { Int($0) })
            }
            healthStore.execute(query)
        }
    }

    private func template(for family: CLKComplicationFamily, steps: Int) -> CLKComplicationTemplate? {
        switch family {
        case .graphicCorner:
            return CLKComplicationTemplateGraphicCornerStackText(
                innerTextProvider: CLKSimpleTextProvider(text: "steps"),
                outerTextProvider: CLKSimpleTextProvider(text: "\(steps)"))
        default:
            return nil
        }
    }
}
