#if !canImport(Darwin)
    import Foundation

    // Less common masses and volumes, and concentrations.

    extension UnitNames {
        static var rareMasses: [(Unit, Self)] {
            [
                (UnitMass.decigrams, Self("dg", "decigram")),
                (UnitMass.centigrams, Self("cg", "centigram")),
                (UnitMass.nanograms, Self("ng", "nanogram")),
                (UnitMass.picograms, Self("pg", "picogram")),
                (UnitMass.shortTons, Self("tn", "ton")),
                (UnitMass.carats, Self("CD", "carat")),
                (UnitMass.ouncesTroy, Self("oz t", "troy ounce")),
                (UnitMass.slugs, Self("slug", "slug")),
            ]
        }

        static var rareVolumes: [(Unit, Self)] {
            [
                (UnitVolume.megaliters, Self("ML", "megaliter")),
                (UnitVolume.kiloliters, Self("kL", "kiloliter")),
                (UnitVolume.centiliters, Self("cL", "centiliter")),
                (UnitVolume.cubicKilometers, Self("km³", "cubic kilometer")),
                (UnitVolume.cubicMeters, Self("m³", "cubic meter")),
                (UnitVolume.cubicDecimeters, Self("dm³", "cubic decimeter")),
                (UnitVolume.cubicMillimeters, Self("mm³", "cubic millimeter")),
                (UnitVolume.cubicInches, Self("in³", "cubic inch", many: "cubic inches")),
                (UnitVolume.cubicFeet, Self("ft³", "cubic foot", many: "cubic feet")),
                (UnitVolume.cubicYards, Self("yd³", "cubic yard")),
                (UnitVolume.cubicMiles, Self("mi³", "cubic mile")),
                (UnitVolume.acreFeet, Self("ac ft", "acre-foot", many: "acre-feet")),
                (UnitVolume.bushels, Self("bu", "bushel")),
                (UnitVolume.teaspoons, Self("tsp", "teaspoon")),
                (UnitVolume.tablespoons, Self("tbsp", "tablespoon")),
                (UnitVolume.metricCups, Self("mcup", "metric cup", narrow: "mc")),
            ]
        }

        static var imperialVolumes: [(Unit, Self)] {
            [
                (UnitVolume.imperialTeaspoons, Self("tsp Imp.", "Imp. teaspoon")),
                (UnitVolume.imperialTablespoons, Self("tbsp Imp.", "Imp. tablespoon")),
                (UnitVolume.imperialFluidOunces, Self("fl oz Imp.", "Imp. fluid ounce")),
                (UnitVolume.imperialPints, Self("pt Imp.", "Imp. pint")),
                (UnitVolume.imperialQuarts, Self("qt Imp.", "Imp. quart")),
                (UnitVolume.imperialGallons, Self("gal Imp.", "Imp. gallon")),
            ]
        }

        static var concentrations: [(Unit, Self)] {
            // The molar mass does not matter, because units are looked up by type and symbol.
            let millimoles = UnitConcentrationMass.millimolesPerLiter(withGramsPerMole: 1)
            return [
                (UnitConcentrationMass.gramsPerLiter, amount("g/L", "gram", per: "liter")),
                (
                    UnitConcentrationMass.milligramsPerDeciliter,
                    amount("mg/dL", "milligram", per: "deciliter")
                ),
                (millimoles, amount("mmol/L", "millimole", per: "liter")),
                (
                    UnitDispersion.partsPerMillion,
                    Self("ppm", "part per million", many: "parts per million", narrow: "ppm")
                ),
            ]
        }

        private static func amount(_ symbol: String, _ unit: String, per volume: String) -> Self {
            Self(symbol, "\(unit) per \(volume)", many: "\(unit)s per \(volume)")
        }
    }
#endif
