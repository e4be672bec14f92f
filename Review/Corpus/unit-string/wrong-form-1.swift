import HealthKit
let bpm = HKUnit(from: "beats/min") // finds unit-string
