/// The modules of a QR code, and which of them are function patterns.
struct QRModules {
    let size: Int
    private let version: Int
    private var dark: [Bool]
    private var isFunction: [Bool]

    /// Creates the function patterns of a version.
    init(version: Int) {
        self.version = version
        size = 17 + 4 * version
        dark = Array(repeating: false, count: size * size)
        isFunction = dark
        for index in 0..<size {
            setFunction(6, index, index % 2 == 0)
            setFunction(index, 6, index % 2 == 0)
        }
        drawFinder(3, 3)
        drawFinder(3, size - 4)
        drawFinder(size - 4, 3)
        drawAlignments()
        drawFormat(level: 0, mask: 0)
        drawVersion()
    }

    subscript(row: Int, column: Int) -> Bool { dark[row * size + column] }

    private mutating func setFunction(_ row: Int, _ column: Int, _ isDark: Bool) {
        dark[row * size + column] = isDark
        isFunction[row * size + column] = true
    }

    // MARK: - Function patterns

    private mutating func drawFinder(_ row: Int, _ column: Int) {
        for (down, right) in Self.square(4) {
            let (y, x) = (row + down, column + right)
            guard (0..<size).contains(y), (0..<size).contains(x) else { continue }
            let distance = max(abs(down), abs(right))
            setFunction(y, x, distance != 2 && distance != 4)
        }
    }

    private mutating func drawAlignments() {
        let places = alignmentPlaces
        let last = places.count - 1
        for (i, row) in places.enumerated() {
            for (j, column) in places.enumerated() {
                // The finder patterns are in three corners.
                if (i, j) == (0, 0) || (i, j) == (0, last) || (i, j) == (last, 0) { continue }
                for (down, right) in Self.square(2) {
                    setFunction(row + down, column + right, max(abs(down), abs(right)) != 1)
                }
            }
        }
    }

    private var alignmentPlaces: [Int] {
        if version == 1 { return [] }
        let count = version / 7 + 2
        let step = (version * 8 + count * 3 + 5) / (count * 4 - 4) * 2
        return [6] + (0..<count - 1).map { size - 7 - $0 * step }.reversed()
    }

    private static func square(_ radius: Int) -> [(Int, Int)] {
        (-radius...radius).flatMap { row in (-radius...radius).map { (row, $0) } }
    }

    /// Draws the error correction level and the mask, twice, protected by a BCH code.
    mutating func drawFormat(level: Int, mask: Int) {
        let data = level << 3 | mask
        var rest = data
        for _ in 0..<10 { rest = rest << 1 ^ (rest >> 9) * 0x537 }
        let bits = (data << 10 | rest) ^ 0x5412
        func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
        for index in 0...5 { setFunction(index, 8, bit(index)) }
        setFunction(7, 8, bit(6))
        setFunction(8, 8, bit(7))
        setFunction(8, 7, bit(8))
        for index in 9..<15 { setFunction(8, 14 - index, bit(index)) }
        for index in 0..<8 { setFunction(8, size - 1 - index, bit(index)) }
        for index in 8..<15 { setFunction(size - 15 + index, 8, bit(index)) }
        setFunction(size - 8, 8, true)
    }

    private mutating func drawVersion() {
        guard version >= 7 else { return }
        var rest = version
        for _ in 0..<12 { rest = rest << 1 ^ (rest >> 11) * 0x1F25 }
        let bits = version << 12 | rest
        for index in 0..<18 {
            let isDark = bits >> index & 1 == 1
            let (long, short) = (size - 11 + index % 3, index / 3)
            setFunction(short, long, isDark)
            setFunction(long, short, isDark)
        }
    }

    // MARK: - Data

    /// Draws codewords in columns of two, upwards and downwards in turn, from the right.
    mutating func draw(_ codewords: [UInt8]) {
        var next = 0
        for right in stride(from: size - 1, through: 1, by: -2).map({ $0 <= 6 ? $0 - 1 : $0 }) {
            for vertical in 0..<size {
                let isUpward = (right + 1) & 2 == 0
                let row = isUpward ? size - 1 - vertical : vertical
                for column in [right, right - 1] {
                    let place = row * size + column
                    guard !isFunction[place], next < codewords.count * 8 else { continue }
                    dark[place] = codewords[next / 8] >> UInt8(7 - next % 8) & 1 == 1
                    next += 1
                }
            }
        }
    }

    mutating func apply(mask: Int) {
        for row in 0..<size {
            for column in 0..<size where !isFunction[row * size + column] {
                if QRModules.inverts(mask, row, column) { dark[row * size + column].toggle() }
            }
        }
    }

    private static func inverts(_ mask: Int, _ row: Int, _ column: Int) -> Bool {
        switch mask {
        case 0: (row + column) % 2 == 0
        case 1: row % 2 == 0
        case 2: column % 3 == 0
        case 3: (row + column) % 3 == 0
        case 4: (row / 2 + column / 3) % 2 == 0
        case 5: row * column % 2 + row * column % 3 == 0
        case 6: (row * column % 2 + row * column % 3) % 2 == 0
        default: ((row + column) % 2 + row * column % 3) % 2 == 0
        }
    }
}

// MARK: - Choice of the mask

extension QRModules {
    /// How much the modules resemble patterns that mislead scanners.
    var penalty: Int {
        let rows = (0..<size).map { row in (0..<size).map { self[row, $0] } }
        let columns = (0..<size).map { column in (0..<size).map { self[$0, column] } }
        let lines = (rows + columns).reduce(0) { $0 + Self.runs($1) + Self.finders($1) }
        return lines + squares + balance
    }

    /// Runs of five or more equal modules.
    private static func runs(_ line: [Bool]) -> Int {
        var (penalty, length) = (0, 0)
        for (index, module) in line.enumerated() {
            length = index > 0 && module == line[index - 1] ? length + 1 : 1
            if length == 5 { penalty += 3 } else if length > 5 { penalty += 1 }
        }
        return penalty
    }

    private static let finder = [true, false, true, true, true, false, true]
    private static let light = [false, false, false, false]

    /// Sequences like those of a finder pattern with a light border on one side.
    private static func finders(_ line: [Bool]) -> Int {
        let patterns = [finder + light, light + finder]
        return (0...line.count - 11).reduce(0) { penalty, start in
            penalty + patterns.count { line[start..<start + 11].elementsEqual($0) } * 40
        }
    }

    /// Squares of four equal modules.
    private var squares: Int {
        var penalty = 0
        for row in 0..<size - 1 {
            for column in 0..<size - 1 {
                let module = self[row, column]
                if module == self[row, column + 1], module == self[row + 1, column],
                    module == self[row + 1, column + 1]
                {
                    penalty += 3
                }
            }
        }
        return penalty
    }

    /// The difference between the shares of dark and light modules.
    private var balance: Int {
        let count = dark.count { $0 }
        return abs(count * 20 - dark.count * 10) / dark.count * 10
    }
}
