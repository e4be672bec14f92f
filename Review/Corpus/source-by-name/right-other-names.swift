// Names of other things, compared as one may.
import HealthKit
import UIKit

struct Device {
    let name: String
}

struct Exercise: Codable {
    let name: String
    let isCardio: Bool
}

struct Search {
    let exercises: [Exercise]
    let devices: [Device]

    func cardio(matching text: String) -> [Exercise] {
        exercises.filter { $0.isCardio && $0.name.localizedCaseInsensitiveContains(text) }
    }

    func watches() -> [Device] {
        devices.filter { $0.name.contains("Watch") }
    }

    func isSimulator() -> Bool {
        UIDevice.current.name.hasPrefix("Simulator")
    }

    func food(_ meals: [HKCorrelation], named name: String) -> [HKCorrelation] {
        meals.filter { $0.metadata?[HKMetadataKeyFoodType] as? String == name }
    }

    func hardware(_ sample: HKSample) -> String {
        switch sample.device?.model {
        case "Watch": "applewatch"
        case "iPhone": "iphone"
        default: "sensor"
        }
    }
}
