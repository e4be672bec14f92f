// Names of sleep values that are given to other samples too.
import HealthKit

func row(_ sample: HKCategorySample) -> [String: Any] {
    var row: [String: Any] = ["uuid": sample.uuid.uuidString]
    if sample.categoryType.identifier == HKCategoryTypeIdentifier.sleepAnalysis.rawValue {
        row["state"] =
            sample.value == HKCategoryValueSleepAnalysis.inBed.rawValue
            ? "InBed" : "Asleep"  // finds sleep-sum
    }
    return row
}

func kind(of sample: HKCategorySample) -> String {
    switch sample.value {
    case HKCategoryValueSleepAnalysis.inBed.rawValue: return "INBED"
    case HKCategoryValueSleepAnalysis.asleepUnspecified.rawValue: return "ASLEEP"
    default: return "AWAKE"  // finds sleep-sum
    }
}

enum NightState { case inBed, asleep, awake }

func state(of sample: HKCategorySample) -> NightState {
    switch HKCategoryValueSleepAnalysis(rawValue: sample.value) {
    case .inBed: return .inBed
    default: return .asleep  // finds sleep-sum
    }
}

func bridgedState(_ sample: HKCategorySample) -> String {
    if sample.value == HKCategoryValueSleepAnalysis.awake.rawValue {
        return "awake"
    } else {
        return "sleeping"  // finds sleep-sum
    }
}

func stage(_ sample: HKCategorySample) -> String? {
    let names = [
        0: "IN_BED", 1: "ASLEEP", 2: "AWAKE", 3: "SLEEP_DEEP",  // finds sleep-sum
        4: "SLEEP_LIGHT", 5: "SLEEP_REM",
    ]
    return names[sample.value]
}

func stageByNumber(_ sample: HKCategorySample) -> String {
    switch sample.value {
    case 0: return "inBed"
    case 2: return "awake"
    case 3: return "rem"  // finds sleep-sum
    case 4: return "core"
    case 5: return "deep"
    default: return "asleep"
    }
}

func totals(of samples: [HKCategorySample]) -> [String: TimeInterval] {
    var result: [String: TimeInterval] = [:]
    for sample in samples {
        let seconds = sample.endDate.timeIntervalSince(sample.startDate)
        switch HKCategoryValueSleepAnalysis(rawValue: sample.value) {
        case .inBed: result["inBed", default: 0] += seconds
        default: result["asleep", default: 0] += seconds  // finds sleep-sum
        }
    }
    return result
}
