// Formats of weeks, of calendar years, and texts that only tell people how to type a date.
import Foundation
import HealthKit
import SwiftUI

struct WeekKeys {
    func week(of sample: HKSample) -> String {
        let formatter = DateFormatter()
        formatter.dateFormat = "YYYY-'W'ww"
        return formatter.string(from: sample.startDate)
    }

    func isoDay(of sample: HKSample) -> String {
        let formatter = DateFormatter()
        formatter.dateFormat = "YYYY'W'wwe"
        return formatter.string(from: sample.startDate)
    }

    func weekOfMonth(of sample: HKSample) -> String {
        let formatter = DateFormatter()
        formatter.dateFormat = "YYYY MMM, 'week' W"
        return formatter.string(from: sample.startDate)
    }

    func day(of sample: HKSample) -> String {
        let formatter = DateFormatter()
        formatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ss'Y'"
        return formatter.string(from: sample.startDate)
    }

    func year(of sample: HKSample) -> String {
        let formatter = DateFormatter()
        formatter.dateFormat = "YYYY"
        return formatter.string(from: sample.startDate)
    }
}

struct BirthdayField: View {
    @State private var text = ""

    var body: some View {
        VStack {
            TextField("YYYY-MM-dd", text: $text)
            Text("YYYY.MM.dd")
            LabeledField(title: "Born", placeholder: "dd/MM/YYYY")
            Text("Use the form YYYY-MM-DD, please")
        }
    }

    func check() throws {
        if text.isEmpty { print("YYYY-MM-dd") }
        let hint = "YYYY-MM-DD"
        if text.count != hint.count { throw CocoaError(.formatting) }
    }
}
