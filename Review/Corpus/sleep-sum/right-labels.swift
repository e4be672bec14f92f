// Names that each sleep value has alone.
import HealthKit

func stageName(_ sample: HKCategorySample) -> String {
    switch HKCategoryValueSleepAnalysis(rawValue: sample.value) {
    case .inBed: return "inBed"
    case .awake: return "awake"
    case .asleepCore: return "light"
    case .asleepDeep: return "deep"
    case .asleepREM: return "rem"
    default: return "asleep"
    }
}

func bridgeName(_ value: Int) -> String {
    switch value {
    case 0: return "INBED"
    case 2: return "AWAKE"
    default: return "ASLEEP"
    }
}

func sleptOrNot(_ samples: [HKCategorySample]) -> [String] {
    samples.filter { $0.value != HKCategoryValueSleepAnalysis.awake.rawValue }.map {
        $0.value == HKCategoryValueSleepAnalysis.inBed.rawValue ? "inBed" : "asleep"
    }
}

let sleepNames = [0: "inBed", 1: "asleep", 2: "awake", 3: "core", 4: "deep", 5: "rem"]

func stood(_ sample: HKCategorySample) -> Bool {
    sample.value == 1
}

func asleepOnly(_ samples: [HKCategorySample]) -> [HKCategorySample] {
    samples.filter { $0.value != HKCategoryValueSleepAnalysis.inBed.rawValue }
}

func awakeOrNot(_ sample: HKCategorySample) -> String {
    sample.value == HKCategoryValueSleepAnalysis.awake.rawValue ? "awake" : "asleep"
}
