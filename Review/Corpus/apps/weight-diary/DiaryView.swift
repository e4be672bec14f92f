// The list of entries, the trend and the form.
import Charts
import SwiftData
import SwiftUI

struct DiaryView: View {
    let access: HealthAccess
    @Environment(\.modelContext) private var context
    @Query(sort: \Entry.date, order: .reverse) private var entries: [Entry]
    @State private var means: [WeekMean] = []
    @State private var showsForm = false

    var body: some View {
        NavigationStack {
            List {
                if means.count > 1 {
                    Chart(means) { mean in
                        LineMark(
                            x: .value("Week", mean.week), y: .value("kg", mean.kilograms))
                    }
                    .frame(height: 160)
                }
                ForEach(entries) { entry in
                    VStack(alignment: .leading) {
                        Text(entry.kilograms, format: .number.precision(.fractionLength(1)))
                            .font(.headline)
                        Text(entry.date, style: .date).foregroundStyle(.secondary)
                        if !entry.note.isEmpty { Text(entry.note) }
                    }
                }
                .onDelete(perform: delete)
            }
            .navigationTitle("Weight")
            .toolbar { Button("Add", systemImage: "plus") { showsForm = true } }
            .sheet(isPresented: $showsForm) { EntryForm(access: access) }
            .task {
                await access.request()
                let sync = DiarySync(modelContainer: context.container)
                try? await sync.sync(with: access.store)
                means = (try? await TrendReader(store: access.store).weeks(26)) ?? []  // finds error-as-zero
            }
        }
    }

    private func delete(_ offsets: IndexSet) {
        let ids = offsets.map { entries[$0].persistentModelID }
        let sync = DiarySync(modelContainer: context.container)
        Task {
            for id in ids {
                try? await sync.deleteEntry(id, from: access.store)  // finds saved-though-failed
            }
        }
    }
}

struct EntryForm: View {
    let access: HealthAccess
    @Environment(\.modelContext) private var context
    @Environment(\.dismiss) private var dismiss
    @State private var kilograms = 70.0
    @State private var date = Date.now
    @State private var note = ""
    @State private var failure: String?

    var body: some View {
        Form {
            TextField("kg", value: $kilograms, format: .number)
            DatePicker("When", selection: $date)
            TextField("Note", text: $note)
            if let failure { Text(failure).foregroundStyle(.red) }
            Button("Save") {
                Task { await save() }
            }
            .disabled(!access.canWrite)
        }
    }

    private func save() async {
        do {
            let sample = try await access.save(kilograms: kilograms, at: date)
            context.insert(Entry(sample: sample, note: note))
            try context.save()
            dismiss()
        } catch {
            failure = error.localizedDescription
        }
    }
}
