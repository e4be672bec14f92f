import HealthKit
func units(prefix: String) -> [HKUnit] {
    [
        HKUnit(from: "mL/(kg*min)"), HKUnit(from: "mmol<180.15588>/L"), HKUnit(from: "degF"), HKUnit(from: "mcg"),
        HKUnit(from: "IU"), HKUnit(from: "dBASPL"), HKUnit(from: "kcal/(kg*hr)"), HKUnit(from: "\(prefix)g"),
        HKUnit(from: "ft"), HKUnit(from: "%"), HKUnit(from: "count/s"), HKUnit(from: "mmHg"), HKUnit(from: "ms"),
        HKUnit(from: "fl_oz_us"), HKUnit(from: "Cal"), HKUnit(from: "mcS"),
    ]
}
