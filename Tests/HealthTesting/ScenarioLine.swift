import HealthEngine

/// One line of a scenario file as words, comment taken off.
struct ScenarioLine {
    let path: String
    let number: Int
    let words: [Substring]

    init(path: String, number: Int, text: Substring) {
        self.path = path
        self.number = number
        let code = text.prefix { $0 != "#" }
        words = code.split { $0 == " " || $0 == "\t" || $0 == "\r" }
    }

    func error(_ message: String) -> ScenarioError {
        ScenarioError(path: path, line: number, message: message)
    }

    func word(_ index: Int) throws -> Substring {
        guard index < words.count else { throw error("the line ends too early") }
        return words[index]
    }

    func number(_ index: Int) throws -> Double { try number(try word(index)) }

    /// `60`, `-2.5` or the fraction `4051/46`.
    func number(_ word: Substring) throws -> Double {
        let parts = word.split(separator: "/", omittingEmptySubsequences: false).map { Double($0) }
        if parts.count == 1, let value = parts[0] { return value }
        if parts.count == 2, let top = parts[0], let bottom = parts[1], bottom != 0 {
            return top / bottom
        }
        throw error("“\(word)” is no number")
    }

    func time(_ index: Int) throws -> Double { try time(try word(index)) }

    /// A plain number of seconds, `undetermined`, or `2024-03-31T01:00[:30[.5]]+01:00`.
    func time(_ word: Substring) throws -> Double {
        if word == "undetermined" { return Sample.undeterminedEnd }
        guard word.contains("T") else { return try number(word) }
        let sides = word.split(separator: "T", omittingEmptySubsequences: false)
        let date = sides[0].split(separator: "-").compactMap { Int($0) }
        guard sides.count == 2, date.count == 3, (1...12).contains(date[1]),
            let sign = sides[1].lastIndex(where: { $0 == "+" || $0 == "-" || $0 == "Z" })
        else { throw error("“\(word)” is no time: 10, or 2024-03-31T01:00+01:00") }
        let clock = sides[1][..<sign].split(separator: ":").compactMap { Double($0) }
        let offset = sides[1][sides[1].index(after: sign)...].split(separator: ":")
            .compactMap { Double($0) }
        let isZulu = sides[1][sign] == "Z"
        guard clock.count == 2 || clock.count == 3, offset.count == (isZulu ? 0 : 2) else {
            throw error("“\(word)” wants hours and minutes, and an offset such as +01:00")
        }
        let seconds = clock[0] * 3600 + clock[1] * 60 + (clock.count == 3 ? clock[2] : 0)
        let east = isZulu ? 0 : offset[0] * 3600 + offset[1] * 60
        let day = Double(Self.days(year: date[0], month: date[1], day: date[2]))
        return day * 86400 + seconds - (sides[1][sign] == "-" ? -east : east)
    }

    /// Days since 2001-01-01 in the Gregorian calendar.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var total = lengths[..<(month - 1)].reduce(day - 1, +)
        for past in min(year, 2001)..<max(year, 2001) {
            total += (isLeap(past) ? 366 : 365) * (year < 2001 ? -1 : 1)
        }
        return total
    }

    private static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }
}
