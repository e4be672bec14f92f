// Date formats with the year of the week, in the places where apps keep them.
import Foundation
import HealthKit

final class DayKeys {
    private let formatter = DateFormatter()

    init() {
        formatter.dateFormat = "YYYY-MM-dd"  // finds week-year
    }

    lazy var monthly: DateFormatter = {
        let formatter = DateFormatter()
        formatter.dateFormat = "MMM YYYY"  // finds week-year
        return formatter
    }()

    func key(_ sample: HKSample) -> String { formatter.string(from: sample.startDate) }
}

enum DateFormats: String {
    case day = "dd.MM.YYYY"  // finds week-year
    case stamp = "YYYYMMdd_HHmmss"  // finds week-year
    case time = "HH:mm"

    var formatter: DateFormatter {
        let formatter = DateFormatter()
        formatter.dateFormat = rawValue
        return formatter
    }
}

extension Date {
    func text(_ format: String = "MM/dd/YYYY") -> String {  // finds week-year
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = format
        return formatter.string(from: self)
    }
}

enum Formatters {
    static let iso = make("YYYY-MM-dd'T'HH:mm:ssZ")  // finds week-year
    static let header = make("EEEE, MMM d, YYYY")  // finds week-year

    static func make(_ format: String) -> DateFormatter {
        let formatter = DateFormatter()
        formatter.dateFormat = format
        return formatter
    }
}

struct WorkoutRow {
    let workout: HKWorkout

    var title: String {
        let formatter = DateFormatter()
        formatter.setLocalizedDateFormatFromTemplate("YYYYMMMd")  // finds week-year
        return formatter.string(from: workout.startDate)
    }

    var short: String? {
        DateFormatter.dateFormat(fromTemplate: "dMY", options: 0, locale: .current)  // finds week-year
    }

    var day: String { workout.startDate.text("YYYY/MM/dd") }  // finds week-year
}

let formats: [String: String] = [
    "de": "d. MMMM YYYY",  // finds week-year
    "ja": "YYYY年M月d日",  // finds week-year
    "sv": "yyyy-MM-dd",
]
