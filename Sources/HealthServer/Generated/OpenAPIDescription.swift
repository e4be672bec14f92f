// Rendered by Tools/openapi from Documentation/openapi.yaml. Do not edit.

/// The description of the HTTP interface in OpenAPI 3.1.
package enum OpenAPIDescription {
    /// The SHA-256 of Documentation/openapi.yaml, from which this was rendered.
    package static let digest = "a84c6ffc7894063cca6c1ea98eacbf88054e785b835a6374a763790ee039cdf4"

    /// The description as JSON.
    package static let json = ##"""
        {
         "openapi": "3.1.0",
         "info": {
          "title": "openhealth",
          "version": "1",
          "summary": "Reads a person's health data without double counting, and receives it from phones.",
          "description": "Served by `openhealth serve`, by default only on this computer. Programs that read send a token of `openhealth tokens add`; devices that send data use one of `openhealth devices add`. Numbers are those of the command of the same name with `--json`. Times are in ISO 8601 with the offset of the store's home time zone, or of `time-zone`. Ranges are half-open: `from` is included, `to` isn't. An unknown query item is an error. A server of many people (`openhealth serve --people`) has all of these addresses: the token decides whose data is read or stored. Addresses with the tag *Many people* exist only there.",
          "license": {
           "name": "Apache License 2.0",
           "identifier": "Apache-2.0"
          }
         },
         "servers": [
          {
           "url": "http://127.0.0.1:8080",
           "description": "The address that `openhealth serve` prints."
          }
         ],
         "security": [
          {
           "readToken": []
          }
         ],
         "tags": [
          {
           "name": "Reading",
           "description": "What a read token may read."
          },
          {
           "name": "Receiving",
           "description": "What devices send. Available with `openhealth serve --receive` or `--people`."
          },
          {
           "name": "Many people",
           "description": "What exists only with `openhealth serve --people`: a person's list of accesses, the operator's API, and what shows whether a node works. An operator reads no health data."
          }
         ],
         "paths": {
          "/v1/types": {
           "get": {
            "tags": [
             "Reading"
            ],
            "operationId": "listTypes",
            "summary": "The types with their number of samples, first and last time.",
            "parameters": [
             {
              "$ref": "#/components/parameters/timeZone"
             }
            ],
            "x-example-request": "/v1/types",
            "responses": {
             "200": {
              "description": "The types, by identifier. Types that the token doesn't permit are left out.",
              "content": {
               "application/json": {
                "schema": {
                 "$ref": "#/components/schemas/TypeList"
                },
                "example": {
                 "types": [
                  {
                   "type": "HKCategoryTypeIdentifierSleepAnalysis",
                   "unit": "s",
                   "samples": 6,
                   "first": "2024-03-30T23:10:00+01:00",
                   "last": "2024-03-31T07:40:00+02:00"
                  },
                  {
                   "type": "HKWorkoutTypeIdentifier",
                   "unit": null,
                   "samples": 1,
                   "first": "2024-03-31T18:00:00+02:00",
                   "last": "2024-03-31T18:30:00+02:00"
                  }
                 ]
                }
               }
              }
             },
             "default": {
              "$ref": "#/components/responses/Problem"
             }
            }
           }
          },
          "/v1/sources": {
           "get": {
            "tags": [
             "Reading"
            ],
            "operationId": "listSources",
            "summary": "The sources in order of priority.",
            "parameters": [
             {
              "name": "type",
              "in": "query",
              "description": "Only sources of this type, in its own order.",
              "schema": {
               "type": "string"
              },
              "example": "stepCount"
             },
             {
              "$ref": "#/components/parameters/timeZone"
             }
            ],
            "x-example-request": "/v1/sources?type=stepCount",
            "responses": {
             "200": {
              "description": "The sources, highest priority first.",
              "content": {
               "application/json": {
                "schema": {
                 "$ref": "#/components/schemas/SourceList"
                },
                "example": {
                 "type": "HKQuantityTypeIdentifierStepCount",
                 "sources": [
                  {
                   "name": "Anna’s Apple Watch",
                   "bundleIdentifier": "com.apple.health.AFA995A8-9146-81FA-829A-6C1A87D49E74",
                   "rank": 1,
                   "excluded": false,
                   "samples": 7,
                   "first": "2023-10-29T02:30:00+02:00",
                   "last": "2024-03-31T19:00:00+02:00"
                  },
                  {
                   "name": "DayCounter",
                   "bundleIdentifier": "imported.daycounter.e77ba749",
                   "rank": 3,
                   "excluded": true,
                   "samples": 2,
                   "first": "2024-03-30T00:00:00+01:00",
                   "last": "2024-04-01T00:00:00+02:00",
                   "reason": "day totals"
                  }
                 ]
                }
               }
              }
             },
             "default": {
              "$ref": "#/components/responses/Problem"
             }
            }
           }
          },
          "/v1/stats/{type}": {
           "get": {
            "tags": [
             "Reading"
            ],
            "operationId": "getStatistics",
            "summary": "Sums, averages or durations of a type over time, without double counting.",
            "description": "Amounts such as steps have a `sum`; readings such as heart rate have `average`, `minimum`, `maximum` and `mostRecent`; categories have `seconds` and `counts` by value. Only buckets with data are listed, of at most 100,000. For `sleepAnalysis`, a bucket has nights: see also `/v1/sleep`.",
            "parameters": [
             {
              "$ref": "#/components/parameters/type"
             },
             {
              "$ref": "#/components/parameters/from"
             },
             {
              "$ref": "#/components/parameters/to"
             },
             {
              "name": "by",
              "in": "query",
              "description": "The length of a bucket.",
              "schema": {
               "type": "string",
               "enum": [
                "total",
                "hour",
                "day",
                "week",
                "month",
                "year"
               ],
               "default": "day"
              }
             },
             {
              "name": "unit",
              "in": "query",
              "description": "A unit that fits the type.",
              "schema": {
               "type": "string"
              },
              "example": "mi"
             },
             {
              "$ref": "#/components/parameters/source"
             },
             {
              "name": "by-source",
              "in": "query",
              "description": "Whether each bucket also lists what each source recorded.",
              "schema": {
               "type": "boolean",
               "default": false
              }
             },
             {
              "name": "week-starts",
              "in": "query",
              "description": "The first day of a week.",
              "schema": {
               "type": "string",
               "enum": [
                "monday",
                "tuesday",
                "wednesday",
                "thursday",
                "friday",
                "saturday",
                "sunday"
               ],
               "default": "monday"
              }
             },
             {
              "$ref": "#/components/parameters/timeZone"
             }
            ],
            "x-example-request": "/v1/stats/stepCount?by=day",
            "responses": {
             "200": {
              "description": "The buckets with data, in order.",
              "content": {
               "application/json": {
                "schema": {
                 "$ref": "#/components/schemas/Statistics"
                },
                "example": {
                 "type": "HKQuantityTypeIdentifierStepCount",
                 "unit": "count",
                 "timeZone": "Europe/Berlin",
                 "buckets": [
                  {
                   "start": "2023-10-29T00:00:00+02:00",
                   "end": "2023-10-30T00:00:00+01:00",
                   "sum": 300
                  }
                 ],
                 "excluded": [
                  {
                   "name": "DayCounter",
                   "bundleIdentifier": "imported.daycounter.e77ba749",
                   "reason": "day totals"
                  }
                 ]
                }
               }
              }
             },
             "default": {
              "$ref": "#/components/responses/Problem"
             }
            }
           }
          },
          "/v1/explain/{type}": {
           "get": {
            "tags": [
             "Reading"
            ],
            "operationId": "explainDay",
            "summary": "How a day's total is made up.",
            "description": "For types that are summed. `naive` is the sum of everything recorded, `merged` the total without double counting, `setAside` what duplicates a source of higher priority. `segments` is missing for a token that reads only statistics.",
            "parameters": [
             {
              "$ref": "#/components/parameters/type"
             },
             {
              "name": "day",
              "in": "query",
              "required": true,
              "description": "The day.",
              "schema": {
               "type": "string",
               "format": "date"
              },
              "example": "2024-03-30"
             },
             {
              "$ref": "#/components/parameters/timeZone"
             }
            ],
            "x-example-request": "/v1/explain/stepCount?day=2024-03-30",
            "responses": {
             "200": {
              "description": "The contribution of each source.",
              "content": {
               "application/json": {
                "schema": {
                 "$ref": "#/components/schemas/Explanation"
                },
                "example": {
                 "type": "HKQuantityTypeIdentifierStepCount",
                 "unit": "count",
                 "day": "2024-03-30",
                 "timeZone": "Europe/Berlin",
                 "naive": 5700,
                 "merged": 5300,
                 "sources": [
                  {
                   "name": "Anna’s Apple Watch",
                   "bundleIdentifier": "com.apple.health.AFA995A8-9146-81FA-829A-6C1A87D49E74",
                   "contributed": 3400,
                   "setAside": 0
                  }
                 ],
                 "segments": [
                  {
                   "start": "2024-03-30T08:00:00+01:00",
                   "end": "2024-03-30T08:10:00+01:00",
                   "source": "Anna’s Apple Watch",
                   "value": 900
                  }
                 ],
                 "excluded": [
                  {
                   "name": "DayCounter",
                   "bundleIdentifier": "imported.daycounter.e77ba749",
                   "recorded": 5900,
                   "reason": "day totals"
                  }
                 ]
                }
               }
              }
             },
             "default": {
              "$ref": "#/components/responses/Problem"
             }
            }
           }
          },
          "/v1/summary": {
           "get": {
            "tags": [
             "Reading"
            ],
            "operationId": "getSummary",
            "summary": "An overview of a day, a week or a month.",
            "description": "What the token doesn't permit is left out, and a bucket that begins before the token's first day has no value. A token that reads only statistics gets neither the night nor workouts. Times are in UTC.",
            "parameters": [
             {
              "name": "day",
              "in": "query",
              "description": "The day as a date, `today` or `yesterday`. By default the latest with data.",
              "schema": {
               "type": "string"
              }
             },
             {
              "name": "period",
              "in": "query",
              "description": "The length of the overview.",
              "schema": {
               "type": "string",
               "enum": [
                "day",
                "week",
                "month",
                "year"
               ],
               "default": "day"
              }
             },
             {
              "$ref": "#/components/parameters/timeZone"
             }
            ],
            "x-example-request": "/v1/summary",
            "responses": {
             "200": {
              "description": "The overview.",
              "content": {
               "application/json": {
                "schema": {
                 "$ref": "#/components/schemas/Summary"
                },
                "example": {
                 "day": "2024-03-31",
                 "freshness": {
                  "asOf": "2026-11-25T23:36:40Z",
                  "isCurrent": true
                 },
                 "highlights": [],
                 "interval": {
                  "duration": 82800,
                  "start": "2024-03-30T23:00:00Z"
                 },
                 "night": {
                  "asleep": 24000,
                  "inBed": 27000,
                  "interval": {
                   "duration": 27000,
                   "start": "2024-03-30T22:10:00Z"
                  },
                  "morning": "2024-03-31",
                  "napped": 0,
                  "naps": [],
                  "parts": [
                   {
                    "counted": 24000,
                    "rank": 1,
                    "recorded": 24000,
                    "source": "Anna’s Apple Watch"
                   },
                   {
                    "counted": 0,
                    "rank": 2,
                    "reason": "only time in bed; other sources recorded stages",
                    "recorded": 0,
                    "source": "Anna’s iPhone"
                   }
                  ],
                  "stretches": [
                   {
                    "end": "2024-03-30T22:30:00Z",
                    "source": "Anna’s iPhone",
                    "stage": "inBed",
                    "start": "2024-03-30T22:10:00Z"
                   }
                  ]
                 },
                 "period": "day",
                 "provenance": "Anna’s Apple Watch 6,020 · Anna’s iPhone 2,094 · 1,950 duplicates removed",
                 "sentence": "8,114 steps, Sunday 31 March 2024",
                 "steps": {
                  "day": "2024-03-31",
                  "interval": {
                   "duration": 82800,
                   "start": "2024-03-30T23:00:00Z"
                  },
                  "metric": {
                   "identifier": "HKQuantityTypeIdentifierStepCount",
                   "kind": "amount",
                   "unit": "count",
                   "words": "steps"
                  },
                  "shares": [
                   {
                    "counted": 6020,
                    "rank": 1,
                    "setAside": 0,
                    "source": "Anna’s Apple Watch"
                   }
                  ],
                  "value": 8114
                 },
                 "tiles": [
                  {
                   "before": 5300,
                   "metric": {
                    "identifier": "HKQuantityTypeIdentifierStepCount",
                    "kind": "amount",
                    "unit": "count",
                    "words": "steps"
                   },
                   "series": {
                    "metric": {
                     "identifier": "HKQuantityTypeIdentifierStepCount",
                     "kind": "amount",
                     "unit": "count",
                     "words": "steps"
                    },
                    "points": [
                     {
                      "end": "2024-03-02T23:00:00Z",
                      "isCurrent": false,
                      "start": "2024-03-01T23:00:00Z"
                     },
                     {
                      "end": "2024-03-30T23:00:00Z",
                      "isCurrent": false,
                      "start": "2024-03-29T23:00:00Z",
                      "value": 5300
                     }
                    ],
                    "step": "day"
                   },
                   "text": "8,114 steps",
                   "value": 8114
                  },
                  {
                   "metric": {
                    "identifier": "HKQuantityTypeIdentifierHeartRate",
                    "kind": "reading",
                    "unit": "count/min",
                    "words": "heart rate"
                   },
                   "series": {
                    "metric": {
                     "identifier": "HKQuantityTypeIdentifierHeartRate",
                     "kind": "reading",
                     "unit": "count/min",
                     "words": "heart rate"
                    },
                    "points": [
                     {
                      "end": "2024-03-02T23:00:00Z",
                      "isCurrent": false,
                      "start": "2024-03-01T23:00:00Z"
                     },
                     {
                      "end": "2024-03-31T22:00:00Z",
                      "isCurrent": false,
                      "maximum": 118,
                      "minimum": 61,
                      "start": "2024-03-30T23:00:00Z",
                      "value": 92.37254901960785
                     }
                    ],
                    "step": "day"
                   },
                   "text": "92 bpm",
                   "value": 92.37254901960785
                  }
                 ],
                 "timeZone": "Europe/Berlin",
                 "workouts": [
                  {
                   "activity": "running",
                   "distance": 5200,
                   "duration": 1710,
                   "end": "2024-03-31T16:30:00Z",
                   "energy": 300,
                   "hasRoute": false,
                   "id": "07D39559-B2C0-8000-8186-8A75B911C000",
                   "source": "Anna’s Apple Watch",
                   "start": "2024-03-31T16:00:00Z"
                  }
                 ]
                }
               }
              }
             },
             "default": {
              "$ref": "#/components/responses/Problem"
             }
            }
           }
          },
          "/v1/sleep": {
           "get": {
            "tags": [
             "Reading"
            ],
            "operationId": "listNights",
            "summary": "The nights of a range of days.",
            "description": "A night is counted on one day: the day whose 24 hours up to 18:00 contain its midpoint, usually the day it ends on. Durations are in seconds, and null if no source recorded them.",
            "parameters": [
             {
              "$ref": "#/components/parameters/from"
             },
             {
              "$ref": "#/components/parameters/to"
             },
             {
              "$ref": "#/components/parameters/source"
             },
             {
              "$ref": "#/components/parameters/timeZone"
             }
            ],
            "x-example-request": "/v1/sleep",
            "responses": {
             "200": {
              "description": "The nights, oldest first.",
              "content": {
               "application/json": {
                "schema": {
                 "$ref": "#/components/schemas/Nights"
                },
                "example": {
                 "nights": [
                  {
                   "day": "2024-03-31",
                   "start": "2024-03-30T23:10:00+01:00",
                   "end": "2024-03-31T07:40:00+02:00",
                   "asleep": 24000,
                   "inBed": 27000,
                   "stages": {
                    "awake": 600,
                    "asleepREM": 4200,
                    "asleepCore": 16200,
                    "asleepDeep": 3600
                   },
                   "naps": []
                  }
                 ]
                }
               }
              }
             },
             "default": {
              "$ref": "#/components/responses/Problem"
             }
            }
           }
          },
          "/v1/workouts": {
           "get": {
            "tags": [
             "Reading"
            ],
            "operationId": "listWorkouts",
            "summary": "The workouts in order of start time.",
            "description": "Durations are in seconds without pauses, energy is in kcal, distance in km and pace in seconds a km.",
            "parameters": [
             {
              "$ref": "#/components/parameters/from"
             },
             {
              "$ref": "#/components/parameters/to"
             },
             {
              "$ref": "#/components/parameters/timeZone"
             }
            ],
            "x-example-request": "/v1/workouts",
            "responses": {
             "200": {
              "description": "The workouts.",
              "content": {
               "application/json": {
                "schema": {
                 "$ref": "#/components/schemas/Workouts"
                },
                "example": {
                 "totals": {
                  "workouts": 1,
                  "duration": 1710,
                  "energy": 300,
                  "distance": 5.2,
                  "pace": 328.84615384615387
                 },
                 "workouts": [
                  {
                   "uuid": "07D39559-B2C0-8000-8186-8A75B911C000",
                   "activity": "running",
                   "start": "2024-03-31T18:00:00+02:00",
                   "end": "2024-03-31T18:30:00+02:00",
                   "duration": 1710,
                   "source": "Anna’s Apple Watch",
                   "bundleIdentifier": "com.apple.health.AFA995A8-9146-81FA-829A-6C1A87D49E74",
                   "energy": 300,
                   "distance": 5.2,
                   "pace": 328.84615384615387,
                   "events": 2,
                   "routes": 0,
                   "routePoints": 0
                  }
                 ]
                }
               }
              }
             },
             "default": {
              "$ref": "#/components/responses/Problem"
             }
            }
           }
          },
          "/v1/samples/{type}": {
           "get": {
            "tags": [
             "Reading"
            ],
            "operationId": "listSamples",
            "summary": "Samples as recorded, page by page, in order of start time.",
            "description": "Samples of several sources can overlap, so their sum isn't a total: use `/v1/stats` for totals. Values keep their recorded unit.",
            "parameters": [
             {
              "$ref": "#/components/parameters/type"
             },
             {
              "$ref": "#/components/parameters/from"
             },
             {
              "$ref": "#/components/parameters/to"
             },
             {
              "$ref": "#/components/parameters/source"
             },
             {
              "$ref": "#/components/parameters/limit"
             },
             {
              "name": "cursor",
              "in": "query",
              "description": "`next` of the previous page, unchanged, with the same other items.",
              "schema": {
               "type": "string"
              }
             },
             {
              "$ref": "#/components/parameters/timeZone"
             }
            ],
            "x-example-request": "/v1/samples/bodyMass?limit=1",
            "responses": {
             "200": {
              "description": "The samples of the page. `next` is null on the last page.",
              "content": {
               "application/json": {
                "schema": {
                 "$ref": "#/components/schemas/Samples"
                },
                "example": {
                 "type": "HKQuantityTypeIdentifierBodyMass",
                 "unit": "kg",
                 "samples": [
                  {
                   "uuid": "00039558-C26C-8480-89A8-49E756BE5000",
                   "start": "2024-03-30T06:00:00+01:00",
                   "end": "2024-03-30T06:00:00+01:00",
                   "value": 154,
                   "unit": "lb",
                   "source": "Health",
                   "bundleIdentifier": "com.apple.Health",
                   "metadata": {
                    "HKTimeZone": "Europe/Berlin",
                    "HKWasUserEntered": 1
                   }
                  }
                 ],
                 "next": "100adu7y4ukn4.5abzhues9a80.f9643d406deff710"
                }
               }
              }
             },
             "default": {
              "$ref": "#/components/responses/Problem"
             }
            }
           }
          },
          "/v1/changes": {
           "get": {
            "tags": [
             "Reading"
            ],
            "operationId": "listChanges",
            "summary": "The samples saved and deleted after a cursor.",
            "description": "Without `after`, the answer begins with the oldest sample. Read on with the `cursor` of each answer; `more` says that there is more to read now. A sample that was saved and deleted between two requests is listed only as a deletion. A sample has the keys of a line of `openhealth export --format jsonl`; a key without a value is left out, and so are the points of imported workout routes.",
            "parameters": [
             {
              "name": "after",
              "in": "query",
              "description": "`cursor` of the last answer, unchanged.",
              "schema": {
               "type": "string"
              }
             },
             {
              "$ref": "#/components/parameters/limit"
             },
             {
              "name": "wait",
              "in": "query",
              "description": "The maximum number of seconds to wait for a change if there is none yet.",
              "schema": {
               "type": "integer",
               "minimum": 0,
               "maximum": 60,
               "default": 0
              }
             },
             {
              "$ref": "#/components/parameters/timeZone"
             }
            ],
            "x-example-request": "/v1/changes?limit=10000",
            "responses": {
             "200": {
              "description": "The changes, oldest first.",
              "content": {
               "application/json": {
                "schema": {
                 "$ref": "#/components/schemas/Changes"
                },
                "example": {
                 "cursor": "s.059d91b2f32c364a",
                 "more": false,
                 "samples": [
                  {
                   "type": "HKQuantityTypeIdentifierStepCount",
                   "day": "2023-10-29",
                   "start": "2023-10-29T02:30:00+02:00",
                   "end": "2023-10-29T02:40:00+02:00",
                   "value": 100,
                   "unit": "count",
                   "source": "Anna’s Apple Watch",
                   "bundleIdentifier": "com.apple.health.AFA995A8-9146-81FA-829A-6C1A87D49E74",
                   "sourceVersion": "10.3",
                   "device": {
                    "name": "Apple Watch",
                    "manufacturer": "Apple Inc.",
                    "model": "Watch",
                    "hardwareVersion": "Watch6,2",
                    "softwareVersion": "10.3"
                   },
                   "uuid": "002594F6-25E6-8740-A948-49EF5C235000",
                   "created": "2023-10-29T02:40:00+02:00"
                  },
                  {
                   "type": "HKQuantityTypeIdentifierHeartRate",
                   "day": "2024-03-31",
                   "start": "2024-03-31T08:00:00+02:00",
                   "end": "2024-03-31T08:00:00+02:00",
                   "value": 61,
                   "unit": "count/min",
                   "source": "Anna’s Apple Watch",
                   "bundleIdentifier": "com.apple.health.AFA995A8-9146-81FA-829A-6C1A87D49E74",
                   "sourceVersion": "10.3",
                   "device": {
                    "name": "Apple Watch",
                    "manufacturer": "Apple Inc.",
                    "model": "Watch",
                    "hardwareVersion": "Watch6,2",
                    "softwareVersion": "10.3"
                   },
                   "uuid": "002D9559-6E15-8700-BA25-0D39BADE1000",
                   "created": "2024-03-31T08:00:00+02:00",
                   "metadata": {
                    "HKMetadataKeyHeartRateMotionContext": 0
                   }
                  },
                  {
                   "type": "HKQuantityTypeIdentifierBodyMass",
                   "day": "2024-03-30",
                   "start": "2024-03-30T06:00:00+01:00",
                   "end": "2024-03-30T06:00:00+01:00",
                   "value": 154,
                   "unit": "lb",
                   "source": "Health",
                   "bundleIdentifier": "com.apple.Health",
                   "sourceVersion": "17.4",
                   "uuid": "00039558-C26C-8480-89A8-49E756BE5000",
                   "created": "2024-03-30T06:00:00+01:00",
                   "metadata": {
                    "HKTimeZone": "Europe/Berlin",
                    "HKWasUserEntered": 1
                   }
                  },
                  {
                   "type": "HKCategoryTypeIdentifierSleepAnalysis",
                   "day": "2024-03-30",
                   "start": "2024-03-30T23:10:00+01:00",
                   "end": "2024-03-31T07:40:00+02:00",
                   "value": 0,
                   "valueName": "inBed",
                   "source": "Anna’s iPhone",
                   "bundleIdentifier": "com.apple.health.6B5C9BE9-D1BF-8034-9676-A0E610F207F6",
                   "sourceVersion": "17.4",
                   "device": {
                    "name": "iPhone",
                    "manufacturer": "Apple Inc.",
                    "model": "iPhone",
                    "hardwareVersion": "iPhone14,5",
                    "softwareVersion": "17.4"
                   },
                   "uuid": "04069559-384C-82C0-BDE9-972E321EB000",
                   "created": "2024-03-31T07:40:00+02:00"
                  },
                  {
                   "type": "HKWorkoutTypeIdentifier",
                   "day": "2024-03-31",
                   "start": "2024-03-31T18:00:00+02:00",
                   "end": "2024-03-31T18:30:00+02:00",
                   "source": "Anna’s Apple Watch",
                   "bundleIdentifier": "com.apple.health.AFA995A8-9146-81FA-829A-6C1A87D49E74",
                   "sourceVersion": "10.3",
                   "device": {
                    "name": "Apple Watch",
                    "manufacturer": "Apple Inc.",
                    "model": "Watch",
                    "hardwareVersion": "Watch6,2",
                    "softwareVersion": "10.3"
                   },
                   "uuid": "07D39559-B2C0-8000-8186-8A75B911C000",
                   "created": "2024-03-31T18:31:00+02:00",
                   "metadata": {
                    "HKIndoorWorkout": 0
                   },
                   "detail": {
                    "workout": {
                     "activity": "running",
                     "activityType": 37,
                     "duration": 1710,
                     "totals": {
                      "distance": {
                       "value": 5.2,
                       "unit": "km"
                      },
                      "energyBurned": {
                       "value": 1255.2,
                       "unit": "kJ"
                      }
                     },
                     "events": [
                      {
                       "type": "pause",
                       "start": "2024-03-31T18:10:00+02:00",
                       "duration": 0
                      }
                     ],
                     "activities": [],
                     "statistics": [
                      {
                       "type": "HKQuantityTypeIdentifierActiveEnergyBurned",
                       "unit": "kJ",
                       "start": "2024-03-31T18:00:00+02:00",
                       "end": "2024-03-31T18:30:00+02:00",
                       "sum": 1255.2
                      }
                     ],
                     "routes": [],
                     "zones": []
                    }
                   }
                  }
                 ],
                 "deletions": []
                }
               }
              }
             },
             "410": {
              "description": "The cursor is from another store, or from a token with other permissions. Begin again without it.",
              "content": {
               "application/problem+json": {
                "schema": {
                 "$ref": "#/components/schemas/Problem"
                }
               }
              }
             },
             "default": {
              "$ref": "#/components/responses/Problem"
             }
            }
           },
           "post": {
            "tags": [
             "Receiving"
            ],
            "operationId": "receiveChanges",
            "summary": "Receives a page of this project's own protocol.",
            "description": "Each line is a JSON object: first the header, then samples and deletions. The page and its cursor are stored together. With `complete` in the header, the sender states that it has sent all samples of a type. A page without records whose `from` and `to` are equal only asks whether the server has this cursor. Documentation/Protocol.md describes all members.",
            "security": [
             {
              "deviceBearer": []
             },
             {
              "deviceAuthorization": []
             },
             {
              "deviceAPIKey": []
             },
             {
              "deviceKey": []
             },
             {
              "deviceOpenWearables": []
             }
            ],
            "requestBody": {
             "required": true,
             "content": {
              "application/x-ndjson": {
               "schema": {
                "type": "string"
               },
               "example": "{\"kind\":\"page\",\"version\":1,\"stream\":\"9E0C2B7A/steps\",\"from\":null,\"to\":\"1-7b2e\"}\n{\"kind\":\"sample\",\"uuid\":\"0A0B0C0D-0000-4000-8000-000000000001\",\"type\":\"HKQuantityTypeIdentifierStepCount\",\"start\":\"2026-03-01T08:00:00Z\",\"end\":\"2026-03-01T08:10:00Z\",\"value\":420,\"unit\":\"count\",\"source\":{\"name\":\"Watch\",\"bundleIdentifier\":\"com.apple.health.1A2B\"}}\n{\"kind\":\"deletion\",\"uuid\":\"0A0B0C0D-0000-4000-8000-000000000002\"}\n"
              }
             }
            },
            "responses": {
             "200": {
              "description": "The receipt, with the stream's cursor.",
              "content": {
               "application/json": {
                "schema": {
                 "$ref": "#/components/schemas/Receipt"
                },
                "example": {
                 "receipt": "r-000001",
                 "cursor": "1-7b2e",
                 "received": 2,
                 "accepted": 1,
                 "duplicate": 0,
                 "changed": 0,
                 "deleted": 1,
                 "rejected": 0,
                 "totals": 0,
                 "provisional": 0,
                 "unknown": 0,
                 "records": [],
                 "records_omitted": 0
                }
               }
              }
             },
             "409": {
              "description": "The page doesn't begin at the stream's cursor, which is in `cursor`. Nothing is stored.",
              "content": {
               "application/json": {
                "schema": {
                 "$ref": "#/components/schemas/Refusal"
                }
               }
              }
             },
             "default": {
              "$ref": "#/components/responses/Refusal"
             }
            }
           }
          },
          "/api/v1/sdk/users/{user}/sync": {
           "post": {
            "tags": [
             "Receiving"
            ],
            "operationId": "receiveOpenWearables",
            "summary": "Receives a request of the Open Wearables SDK, from version 0.6 on.",
            "description": "The same address with `/apple` after it is for older versions. Answered when everything is stored. The app shows the fields `status_code`, `response` and `user_id`.",
            "security": [
             {
              "deviceBearer": []
             },
             {
              "deviceAuthorization": []
             },
             {
              "deviceAPIKey": []
             },
             {
              "deviceKey": []
             },
             {
              "deviceOpenWearables": []
             }
            ],
            "parameters": [
             {
              "name": "user",
              "in": "path",
              "required": true,
              "description": "The app's user. Any text; the token decides which device it is.",
              "schema": {
               "type": "string"
              }
             }
            ],
            "requestBody": {
             "required": true,
             "content": {
              "application/json": {
               "schema": {
                "type": "object"
               },
               "example": {
                "provider": "apple",
                "sdkVersion": "0.13.0",
                "syncTimestamp": "2026-03-01T08:20:00Z",
                "data": {
                 "records": [
                  {
                   "id": "AAAAAAAA-AAAA-4AAA-8AAA-000000000001",
                   "type": "HKQuantityTypeIdentifierStepCount",
                   "startDate": "2026-03-01T08:00:00Z",
                   "endDate": "2026-03-01T08:10:00Z",
                   "zoneOffset": null,
                   "source": {
                    "appId": "com.apple.health.1",
                    "name": "iPhone",
                    "deviceName": "iPhone"
                   },
                   "value": 842,
                   "unit": "count",
                   "parentId": null,
                   "metadata": null
                  }
                 ],
                 "sleep": [],
                 "workouts": []
                }
               }
              }
             }
            },
            "responses": {
             "202": {
              "description": "The receipt.",
              "content": {
               "application/json": {
                "schema": {
                 "$ref": "#/components/schemas/Receipt"
                },
                "example": {
                 "status_code": 202,
                 "response": "Stored",
                 "user_id": "me",
                 "receipt": "3f0c9a52d1e84b7c",
                 "received": 1,
                 "accepted": 1,
                 "duplicate": 0,
                 "changed": 0,
                 "deleted": 0,
                 "rejected": 0,
                 "totals": 0,
                 "provisional": 0,
                 "unknown": 0,
                 "records": [],
                 "records_omitted": 0
                }
               }
              }
             },
             "default": {
              "$ref": "#/components/responses/Refusal"
             }
            }
           }
          },
          "/api/v1/sdk/users/{user}/logs": {
           "post": {
            "tags": [
             "Receiving"
            ],
            "operationId": "receiveOpenWearablesLog",
            "summary": "Accepts a log of the Open Wearables SDK, which has no health data, and drops it.",
            "security": [
             {
              "deviceBearer": []
             },
             {
              "deviceAuthorization": []
             },
             {
              "deviceAPIKey": []
             },
             {
              "deviceKey": []
             },
             {
              "deviceOpenWearables": []
             }
            ],
            "parameters": [
             {
              "name": "user",
              "in": "path",
              "required": true,
              "description": "The app's user. Any text.",
              "schema": {
               "type": "string"
              }
             }
            ],
            "requestBody": {
             "content": {
              "application/json": {
               "schema": {
                "type": "object"
               },
               "example": {
                "events": []
               }
              }
             }
            },
            "responses": {
             "202": {
              "description": "It was received.",
              "content": {
               "application/json": {
                "schema": {
                 "type": "object"
                },
                "example": {
                 "status_code": 202,
                 "response": "Received",
                 "user_id": "me"
                }
               }
              }
             },
             "default": {
              "$ref": "#/components/responses/Refusal"
             }
            }
           }
          },
          "/v1/intake/health-auto-export": {
           "post": {
            "tags": [
             "Receiving"
            ],
            "operationId": "receiveHealthAutoExport",
            "summary": "Receives an automation of Health Auto Export.",
            "description": "For an app that can't send a header, the token can follow the path: `/v1/intake/health-auto-export/{token}`.",
            "security": [
             {
              "deviceBearer": []
             },
             {
              "deviceAuthorization": []
             },
             {
              "deviceAPIKey": []
             },
             {
              "deviceKey": []
             },
             {
              "deviceOpenWearables": []
             }
            ],
            "requestBody": {
             "required": true,
             "content": {
              "application/json": {
               "schema": {
                "type": "object"
               },
               "example": {
                "data": {
                 "metrics": [
                  {
                   "name": "step_count",
                   "units": "count",
                   "data": [
                    {
                     "date": "2026-03-01 08:00:00 +0100",
                     "qty": 120,
                     "source": "iPhone|Watch"
                    },
                    {
                     "date": "2026-03-01 09:00:00 +0100",
                     "qty": 80,
                     "source": "iPhone|Watch"
                    }
                   ]
                  }
                 ]
                }
               }
              }
             }
            },
            "responses": {
             "200": {
              "description": "The receipt.",
              "content": {
               "application/json": {
                "schema": {
                 "$ref": "#/components/schemas/Receipt"
                },
                "example": {
                 "receipt": "3f0c9a52d1e84b7c",
                 "received": 2,
                 "accepted": 0,
                 "duplicate": 0,
                 "changed": 0,
                 "deleted": 0,
                 "rejected": 0,
                 "totals": 2,
                 "provisional": 0,
                 "unknown": 0,
                 "records": [],
                 "records_omitted": 0
                }
               }
              }
             },
             "default": {
              "$ref": "#/components/responses/Refusal"
             }
            }
           }
          },
          "/v1/intake/open-health-exporter": {
           "post": {
            "tags": [
             "Receiving"
            ],
            "operationId": "receiveOpenHealthExporter",
            "summary": "Receives a batch of Open Health Exporter as lines of JSON.",
            "security": [
             {
              "deviceBearer": []
             },
             {
              "deviceAuthorization": []
             },
             {
              "deviceAPIKey": []
             },
             {
              "deviceKey": []
             },
             {
              "deviceOpenWearables": []
             }
            ],
            "parameters": [
             {
              "name": "Idempotency-Key",
              "in": "header",
              "description": "A batch that is sent again with its key gets its first receipt.",
              "schema": {
               "type": "string"
              }
             }
            ],
            "requestBody": {
             "required": true,
             "content": {
              "application/x-ndjson": {
               "schema": {
                "type": "string"
               },
               "example": "{\"batchSeq\":1,\"end\":\"2026-03-01T08:10:00Z\", \"hkIdentifier\":\"HKQuantityTypeIdentifierStepCount\",\"kind\":\"sample.quantity\", \"metricId\":\"step_count\",\"observedAt\":\"2026-03-01T08:11:00Z\",\"semantics\":\"curated\", \"start\":\"2026-03-01T08:00:00Z\",\"tzOffsetMinutes\":0,\"tzSource\":\"unknown\", \"unit\":\"count\",\"uuid\":\"aaaaaaaa-aaaa-4aaa-8aaa-000000000002\",\"v\":1,\"value\":512}\n"
              }
             }
            },
            "responses": {
             "200": {
              "description": "The receipt.",
              "content": {
               "application/json": {
                "schema": {
                 "$ref": "#/components/schemas/Receipt"
                },
                "example": {
                 "spec": "ohe.wire/1",
                 "batchId": null,
                 "rejects": [],
                 "receipt": "3f0c9a52d1e84b7c",
                 "received": 1,
                 "accepted": 1,
                 "duplicate": 0,
                 "changed": 0,
                 "deleted": 0,
                 "rejected": 0,
                 "totals": 0,
                 "provisional": 0,
                 "unknown": 0,
                 "records": [],
                 "records_omitted": 0
                }
               }
              }
             },
             "409": {
              "description": "The idempotency key was used before, with another body.",
              "content": {
               "application/json": {
                "schema": {
                 "$ref": "#/components/schemas/Refusal"
                }
               }
              }
             },
             "default": {
              "$ref": "#/components/responses/Refusal"
             }
            }
           }
          },
          "/api/v2/apple/batch": {
           "post": {
            "tags": [
             "Receiving"
            ],
            "operationId": "receiveHealthSave",
            "summary": "Receives a batch of HealthSave.",
            "description": "`/api/apple/batch` is for batches of version 1.",
            "security": [
             {
              "deviceBearer": []
             },
             {
              "deviceAuthorization": []
             },
             {
              "deviceAPIKey": []
             },
             {
              "deviceKey": []
             },
             {
              "deviceOpenWearables": []
             }
            ],
            "parameters": [
             {
              "name": "Idempotency-Key",
              "in": "header",
              "description": "A batch that is sent again with its key gets its first receipt.",
              "schema": {
               "type": "string"
              }
             }
            ],
            "requestBody": {
             "required": true,
             "content": {
              "application/json": {
               "schema": {
                "type": "object"
               },
               "example": {
                "schema_version": 2,
                "metric": "step_count",
                "batch_index": 0,
                "total_batches": 1,
                "samples": [
                 {
                  "uuid": "AAAAAAAA-AAAA-4AAA-8AAA-000000000003",
                  "startDate": "2026-03-01T09:00:00Z",
                  "endDate": "2026-03-01T09:10:00Z",
                  "qty": 377,
                  "unit": "count",
                  "source": "iPhone"
                 }
                ],
                "deletions": []
               }
              }
             }
            },
            "responses": {
             "200": {
              "description": "The receipt.",
              "content": {
               "application/json": {
                "schema": {
                 "$ref": "#/components/schemas/Receipt"
                },
                "example": {
                 "status": "ok",
                 "receipt_id": "3f0c9a52d1e84b7c",
                 "sync_run_id": null,
                 "idempotency_key": null,
                 "records_received": 1,
                 "records_accepted": 1,
                 "records_inserted_new": 1,
                 "records_deduped_existing": 0,
                 "storage_result_level": "stored",
                 "sample_window": null,
                 "latest_sample_time": null,
                 "verification_level": "delivery_receipt",
                 "inserted": 1,
                 "skipped": 0,
                 "receipt": "3f0c9a52d1e84b7c",
                 "received": 1,
                 "accepted": 1,
                 "duplicate": 0,
                 "changed": 0,
                 "deleted": 0,
                 "rejected": 0,
                 "totals": 0,
                 "provisional": 0,
                 "unknown": 0,
                 "records": [],
                 "records_omitted": 0
                }
               }
              }
             },
             "422": {
              "description": "A unit is unknown or doesn't fit the metric. The other samples were stored.",
              "content": {
               "application/json": {
                "schema": {
                 "$ref": "#/components/schemas/Receipt"
                }
               }
              }
             },
             "default": {
              "$ref": "#/components/responses/Refusal"
             }
            }
           }
          },
          "/api/apple/status": {
           "get": {
            "tags": [
             "Receiving"
            ],
            "operationId": "getHealthSaveStatus",
            "summary": "The number and time range of samples by group, as HealthSave shows them.",
            "security": [
             {
              "deviceBearer": []
             },
             {
              "deviceAuthorization": []
             },
             {
              "deviceAPIKey": []
             },
             {
              "deviceKey": []
             },
             {
              "deviceOpenWearables": []
             }
            ],
            "responses": {
             "200": {
              "description": "The groups that have samples.",
              "content": {
               "application/json": {
                "schema": {
                 "type": "object",
                 "additionalProperties": {
                  "type": "object",
                  "required": [
                   "count",
                   "oldest",
                   "newest"
                  ],
                  "properties": {
                   "count": {
                    "type": "integer"
                   },
                   "oldest": {
                    "$ref": "#/components/schemas/Time"
                   },
                   "newest": {
                    "$ref": "#/components/schemas/Time"
                   }
                  }
                 }
                },
                "example": {
                 "quantity_samples": {
                  "count": 1731,
                  "oldest": "2026-03-01T08:00:00Z",
                  "newest": "2026-03-02T21:40:00Z"
                 }
                }
               }
              }
             },
             "default": {
              "$ref": "#/components/responses/Refusal"
             }
            }
           }
          },
          "/api/health": {
           "get": {
            "tags": [
             "Receiving"
            ],
            "operationId": "getHealth",
            "summary": "Whether the server runs. With a token that isn't valid, the answer is 401.",
            "security": [],
            "x-example-request": "/api/health",
            "responses": {
             "200": {
              "description": "It runs.",
              "content": {
               "application/json": {
                "schema": {
                 "type": "object",
                 "required": [
                  "status"
                 ],
                 "properties": {
                  "status": {
                   "type": "string",
                   "const": "ok"
                  }
                 }
                },
                "example": {
                 "status": "ok"
                }
               }
              }
             }
            }
           }
          },
          "/v1/accesses": {
           "get": {
            "tags": [
             "Many people"
            ],
            "operationId": "listAccesses",
            "summary": "Who has read and written the data of the token's person.",
            "description": "The last 1,000 accesses, the newest first. Times are in UTC.",
            "responses": {
             "200": {
              "description": "The accesses.",
              "content": {
               "application/json": {
                "schema": {
                 "$ref": "#/components/schemas/Accesses"
                },
                "example": {
                 "accesses": [
                  {
                   "time": "2026-03-01T08:20:00.125+00:00",
                   "actor": "r5d1c0e7a92b34f68",
                   "action": "read",
                   "subject": "/v1/types",
                   "days": null,
                   "origin": "127.0.0.1",
                   "status": 200
                  }
                 ]
                }
               }
              }
             },
             "default": {
              "$ref": "#/components/responses/Problem"
             }
            }
           }
          },
          "/v1/people": {
           "get": {
            "tags": [
             "Many people"
            ],
            "operationId": "listPeople",
            "summary": "The people who aren't erased, in the order in which they were added.",
            "security": [
             {
              "operatorToken": []
             }
            ],
            "responses": {
             "200": {
              "description": "The people, with the number of changes and bytes in the log.",
              "content": {
               "application/json": {
                "schema": {
                 "$ref": "#/components/schemas/People"
                },
                "example": {
                 "people": [
                  {
                   "person": "5d1c0e7a92b34f685d1c0e7a92b34f68",
                   "name": "Ada",
                   "disabled": false,
                   "entries": 1,
                   "bytes": 18432,
                   "quota": null
                  }
                 ]
                }
               }
              }
             },
             "default": {
              "$ref": "#/components/responses/Problem"
             }
            }
           },
           "post": {
            "tags": [
             "Many people"
            ],
            "operationId": "createPerson",
            "summary": "Adds a person, and returns a token that reads the data and opens the pages.",
            "security": [
             {
              "operatorToken": []
             }
            ],
            "requestBody": {
             "required": true,
             "content": {
              "application/json": {
               "schema": {
                "type": "object",
                "required": [
                 "name"
                ],
                "additionalProperties": false,
                "properties": {
                 "name": {
                  "type": "string",
                  "maxLength": 100
                 },
                 "quota": {
                  "$ref": "#/components/schemas/Quota"
                 },
                 "place": {
                  "type": "string",
                  "description": "The place of the data. Without it, the place with the fewest people."
                 }
                }
               },
               "example": {
                "name": "Ben",
                "quota": 500000000
               }
              }
             }
            },
            "responses": {
             "200": {
              "description": "The person. The token can't be read again.",
              "content": {
               "application/json": {
                "schema": {
                 "type": "object",
                 "required": [
                  "person",
                  "token"
                 ],
                 "properties": {
                  "person": {
                   "type": "string"
                  },
                  "token": {
                   "type": "string"
                  }
                 }
                },
                "example": {
                 "person": "0c6f2a9d41e84b7c0c6f2a9d41e84b7c",
                 "token": "r…"
                }
               }
              }
             },
             "default": {
              "$ref": "#/components/responses/Problem"
             }
            }
           }
          },
          "/v1/people/{person}": {
           "delete": {
            "tags": [
             "Many people"
            ],
            "operationId": "erasePerson",
            "summary": "Erases a person's data, tokens and keys, and returns a receipt.",
            "description": "There is no way back. Documentation/ManyPeople.md says what the receipt doesn't promise.",
            "security": [
             {
              "operatorToken": []
             }
            ],
            "parameters": [
             {
              "$ref": "#/components/parameters/person"
             }
            ],
            "responses": {
             "200": {
              "description": "What was deleted. Nodes remove their files within `nodesWithin` seconds.",
              "content": {
               "application/json": {
                "schema": {
                 "$ref": "#/components/schemas/Erasure"
                },
                "example": {
                 "person": "5d1c0e7a92b34f685d1c0e7a92b34f68",
                 "entries": 12,
                 "copies": 1,
                 "receipts": 11,
                 "tokens": 2,
                 "keys": 1,
                 "nodesWithin": 60
                }
               }
              }
             },
             "default": {
              "$ref": "#/components/responses/Problem"
             }
            }
           }
          },
          "/v1/people/{person}/devices": {
           "post": {
            "tags": [
             "Many people"
            ],
            "operationId": "addDevice",
            "summary": "Adds a phone of a person, and returns its token.",
            "security": [
             {
              "operatorToken": []
             }
            ],
            "parameters": [
             {
              "$ref": "#/components/parameters/person"
             }
            ],
            "requestBody": {
             "required": true,
             "content": {
              "application/json": {
               "schema": {
                "type": "object",
                "required": [
                 "name"
                ],
                "additionalProperties": false,
                "properties": {
                 "name": {
                  "type": "string",
                  "maxLength": 100
                 }
                }
               },
               "example": {
                "name": "Ada's iPhone"
               }
              }
             }
            },
            "responses": {
             "200": {
              "description": "The token with its public identifier. The token can't be read again.",
              "content": {
               "application/json": {
                "schema": {
                 "type": "object",
                 "required": [
                  "id",
                  "token"
                 ],
                 "properties": {
                  "id": {
                   "type": "string"
                  },
                  "token": {
                   "type": "string"
                  }
                 }
                },
                "example": {
                 "id": "d…",
                 "token": "d…"
                }
               }
              }
             },
             "default": {
              "$ref": "#/components/responses/Problem"
             }
            }
           }
          },
          "/v1/people/{person}/tokens": {
           "post": {
            "tags": [
             "Many people"
            ],
            "operationId": "addReadToken",
            "summary": "Adds a token that reads a person's data, and returns it.",
            "security": [
             {
              "operatorToken": []
             }
            ],
            "parameters": [
             {
              "$ref": "#/components/parameters/person"
             }
            ],
            "requestBody": {
             "required": true,
             "content": {
              "application/json": {
               "schema": {
                "type": "object",
                "required": [
                 "name"
                ],
                "additionalProperties": false,
                "properties": {
                 "name": {
                  "type": "string",
                  "maxLength": 100
                 },
                 "aggregatedOnly": {
                  "type": "boolean",
                  "default": false,
                  "description": "Whether it reads only statistics. Such a token opens no pages."
                 }
                }
               },
               "example": {
                "name": "Grafana",
                "aggregatedOnly": true
               }
              }
             }
            },
            "responses": {
             "200": {
              "description": "The token with its public identifier. The token can't be read again.",
              "content": {
               "application/json": {
                "schema": {
                 "type": "object",
                 "required": [
                  "id",
                  "token"
                 ],
                 "properties": {
                  "id": {
                   "type": "string"
                  },
                  "token": {
                   "type": "string"
                  }
                 }
                },
                "example": {
                 "id": "d…",
                 "token": "d…"
                }
               }
              }
             },
             "default": {
              "$ref": "#/components/responses/Problem"
             }
            }
           }
          },
          "/v1/people/{person}/revoke": {
           "post": {
            "tags": [
             "Many people"
            ],
            "operationId": "revokeToken",
            "summary": "Revokes a token on all nodes, with the sessions of browsers that it opened.",
            "security": [
             {
              "operatorToken": []
             }
            ],
            "parameters": [
             {
              "$ref": "#/components/parameters/person"
             }
            ],
            "requestBody": {
             "required": true,
             "content": {
              "application/json": {
               "schema": {
                "type": "object",
                "required": [
                 "name"
                ],
                "additionalProperties": false,
                "properties": {
                 "name": {
                  "type": "string",
                  "description": "The name of a phone",
                  "or a token's identifier.": null
                 }
                }
               },
               "example": {
                "name": "Ada's iPhone"
               }
              }
             }
            },
            "responses": {
             "200": {
              "description": "It is done.",
              "content": {
               "application/json": {
                "schema": {
                 "type": "object",
                 "required": [
                  "done"
                 ],
                 "properties": {
                  "done": {
                   "type": "boolean",
                   "const": true
                  }
                 }
                },
                "example": {
                 "done": true
                }
               }
              }
             },
             "default": {
              "$ref": "#/components/responses/Problem"
             }
            }
           }
          },
          "/v1/people/{person}/disable": {
           "post": {
            "tags": [
             "Many people"
            ],
            "operationId": "disablePerson",
            "summary": "Refuses all requests with a person's tokens with 503. The data stays.",
            "security": [
             {
              "operatorToken": []
             }
            ],
            "parameters": [
             {
              "$ref": "#/components/parameters/person"
             }
            ],
            "responses": {
             "200": {
              "description": "It is done.",
              "content": {
               "application/json": {
                "schema": {
                 "type": "object",
                 "required": [
                  "done"
                 ],
                 "properties": {
                  "done": {
                   "type": "boolean",
                   "const": true
                  }
                 }
                },
                "example": {
                 "done": true
                }
               }
              }
             },
             "default": {
              "$ref": "#/components/responses/Problem"
             }
            }
           }
          },
          "/v1/people/{person}/enable": {
           "post": {
            "tags": [
             "Many people"
            ],
            "operationId": "enablePerson",
            "summary": "Accepts the requests of a disabled person again.",
            "security": [
             {
              "operatorToken": []
             }
            ],
            "parameters": [
             {
              "$ref": "#/components/parameters/person"
             }
            ],
            "responses": {
             "200": {
              "description": "It is done.",
              "content": {
               "application/json": {
                "schema": {
                 "type": "object",
                 "required": [
                  "done"
                 ],
                 "properties": {
                  "done": {
                   "type": "boolean",
                   "const": true
                  }
                 }
                },
                "example": {
                 "done": true
                }
               }
              }
             },
             "default": {
              "$ref": "#/components/responses/Problem"
             }
            }
           }
          },
          "/v1/people/{person}/quota": {
           "post": {
            "tags": [
             "Many people"
            ],
            "operationId": "setQuota",
            "summary": "Sets the most bytes of a person's data.",
            "security": [
             {
              "operatorToken": []
             }
            ],
            "parameters": [
             {
              "$ref": "#/components/parameters/person"
             }
            ],
            "requestBody": {
             "required": true,
             "content": {
              "application/json": {
               "schema": {
                "type": "object",
                "required": [
                 "quota"
                ],
                "additionalProperties": false,
                "properties": {
                 "quota": {
                  "$ref": "#/components/schemas/Quota"
                 }
                }
               },
               "example": {
                "quota": 0
               }
              }
             }
            },
            "responses": {
             "200": {
              "description": "It is done.",
              "content": {
               "application/json": {
                "schema": {
                 "type": "object",
                 "required": [
                  "done"
                 ],
                 "properties": {
                  "done": {
                   "type": "boolean",
                   "const": true
                  }
                 }
                },
                "example": {
                 "done": true
                }
               }
              }
             },
             "default": {
              "$ref": "#/components/responses/Problem"
             }
            }
           }
          },
          "/live": {
           "get": {
            "tags": [
             "Many people"
            ],
            "operationId": "getLive",
            "summary": "Whether the process runs.",
            "security": [],
            "responses": {
             "200": {
              "description": "It runs.",
              "content": {
               "text/plain": {
                "schema": {
                 "type": "string"
                },
                "example": "live\n"
               }
              }
             }
            }
           }
          },
          "/ready": {
           "get": {
            "tags": [
             "Many people"
            ],
            "operationId": "getReady",
            "summary": "Whether requests can be answered.",
            "security": [],
            "responses": {
             "200": {
              "description": "The databases answer.",
              "content": {
               "text/plain": {
                "schema": {
                 "type": "string"
                },
                "example": "ready\n"
               }
              }
             },
             "503": {
              "description": "A database doesn't answer, or the server is ending.",
              "content": {
               "text/plain": {
                "schema": {
                 "type": "string"
                },
                "example": "not ready\n"
               }
              }
             }
            }
           }
          },
          "/metrics": {
           "get": {
            "tags": [
             "Many people"
            ],
            "operationId": "getMetrics",
            "summary": "Counters of the node in the text format of Prometheus, without a person.",
            "description": "Requests of the same computer need no token, unless they come through a proxy.",
            "security": [
             {},
             {
              "operatorToken": []
             }
            ],
            "responses": {
             "200": {
              "description": "The counters.",
              "content": {
               "text/plain": {
                "schema": {
                 "type": "string"
                }
               }
              }
             },
             "default": {
              "$ref": "#/components/responses/Problem"
             }
            }
           }
          },
          "/v1/openapi.json": {
           "get": {
            "tags": [
             "Reading"
            ],
            "operationId": "getDescription",
            "summary": "This description.",
            "security": [],
            "responses": {
             "200": {
              "description": "The description in OpenAPI 3.1.",
              "content": {
               "application/json": {
                "schema": {
                 "type": "object"
                }
               }
              }
             }
            }
           }
          }
         },
         "components": {
          "securitySchemes": {
           "readToken": {
            "type": "http",
            "scheme": "bearer",
            "description": "A token of `openhealth tokens add`; with `--people`, of `openhealth people create` or `people token`."
           },
           "operatorToken": {
            "type": "http",
            "scheme": "bearer",
            "description": "A token of `openhealth people operator`. It reads no health data."
           },
           "deviceBearer": {
            "type": "http",
            "scheme": "bearer",
            "description": "A token of `openhealth devices add`; with `--people`, of `openhealth people device`."
           },
           "deviceAuthorization": {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "The device's token alone."
           },
           "deviceAPIKey": {
            "type": "apiKey",
            "in": "header",
            "name": "X-API-Key"
           },
           "deviceKey": {
            "type": "apiKey",
            "in": "header",
            "name": "api-key"
           },
           "deviceOpenWearables": {
            "type": "apiKey",
            "in": "header",
            "name": "X-Open-Wearables-API-Key"
           }
          },
          "parameters": {
           "person": {
            "name": "person",
            "in": "path",
            "required": true,
            "description": "The person's identifier.",
            "schema": {
             "type": "string"
            }
           },
           "type": {
            "name": "type",
            "in": "path",
            "required": true,
            "description": "Apple's name of the type, such as stepCount, or its full identifier.",
            "schema": {
             "type": "string"
            },
            "example": "stepCount"
           },
           "from": {
            "name": "from",
            "in": "query",
            "description": "The start (inclusive): a date, or a time in ISO 8601 with an offset. A token that reads only statistics permits only dates.",
            "schema": {
             "type": "string"
            },
            "example": "2024-03-30"
           },
           "to": {
            "name": "to",
            "in": "query",
            "description": "The end (exclusive), as `from`.",
            "schema": {
             "type": "string"
            },
            "example": "2024-04-01"
           },
           "source": {
            "name": "source",
            "in": "query",
            "description": "Only this source, by name or bundle identifier. Can be repeated.",
            "schema": {
             "type": "array",
             "items": {
              "type": "string"
             }
            },
            "style": "form",
            "explode": true
           },
           "limit": {
            "name": "limit",
            "in": "query",
            "description": "The maximum number of samples of an answer.",
            "schema": {
             "type": "integer",
             "minimum": 1,
             "maximum": 10000,
             "default": 1000
            }
           },
           "timeZone": {
            "name": "time-zone",
            "in": "query",
            "description": "The time zone of days and times. By default the store's home zone.",
            "schema": {
             "type": "string"
            },
            "example": "Europe/Berlin"
           }
          },
          "responses": {
           "Problem": {
            "description": "What went wrong, as problem details (RFC 9457) without health values. 400 for an invalid request, 401 without a valid token, 403 for what the token doesn't permit, 404 for an unknown address or type, 503 (with Retry-After) while the store can't be read.",
            "content": {
             "application/problem+json": {
              "schema": {
               "$ref": "#/components/schemas/Problem"
              },
              "example": {
               "type": "urn:openhealth:problem:not-permitted",
               "title": "Not permitted",
               "status": 403,
               "detail": "This token doesn't permit heartRate."
              }
             }
            }
           },
           "Refusal": {
            "description": "Why nothing was stored. 401 only for a token that isn't valid; everything that can pass is 503 with Retry-After, because apps drop data after other statuses. Repeat such a request unchanged: what was already stored is counted as duplicate.",
            "content": {
             "application/json": {
              "schema": {
               "$ref": "#/components/schemas/Refusal"
              },
              "example": {
               "error": "busy",
               "detail": "The store is busy, for example with an import. Try again.",
               "status_code": 503
              }
             }
            }
           }
          },
          "schemas": {
           "Problem": {
            "type": "object",
            "required": [
             "type",
             "title",
             "status",
             "detail"
            ],
            "properties": {
             "type": {
              "type": "string",
              "enum": [
               "urn:openhealth:problem:invalid-request",
               "urn:openhealth:problem:invalid-token",
               "urn:openhealth:problem:not-permitted",
               "urn:openhealth:problem:unknown-address",
               "urn:openhealth:problem:unknown-type",
               "urn:openhealth:problem:method",
               "urn:openhealth:problem:cursor",
               "urn:openhealth:problem:unavailable",
               "urn:openhealth:problem:failed"
              ]
             },
             "title": {
              "type": "string"
             },
             "status": {
              "type": "integer"
             },
             "detail": {
              "type": "string"
             }
            }
           },
           "Accesses": {
            "type": "object",
            "required": [
             "accesses"
            ],
            "properties": {
             "accesses": {
              "type": "array",
              "items": {
               "type": "object",
               "required": [
                "time",
                "actor",
                "action",
                "subject",
                "days",
                "origin",
                "status"
               ],
               "properties": {
                "time": {
                 "$ref": "#/components/schemas/Time"
                },
                "actor": {
                 "type": "string",
                 "description": "The public identifier of the token."
                },
                "action": {
                 "type": "string",
                 "enum": [
                  "read",
                  "write"
                 ]
                },
                "subject": {
                 "type": "string",
                 "description": "The path of the resource or page."
                },
                "days": {
                 "type": [
                  "string",
                  "null"
                 ],
                 "description": "The days that were asked for."
                },
                "origin": {
                 "type": [
                  "string",
                  "null"
                 ],
                 "description": "The address of the client."
                },
                "status": {
                 "type": "integer"
                }
               }
              }
             }
            }
           },
           "People": {
            "type": "object",
            "required": [
             "people"
            ],
            "properties": {
             "people": {
              "type": "array",
              "items": {
               "type": "object",
               "required": [
                "person",
                "name",
                "disabled",
                "entries",
                "bytes",
                "quota"
               ],
               "properties": {
                "person": {
                 "type": "string"
                },
                "name": {
                 "type": [
                  "string",
                  "null"
                 ],
                 "description": "Null if the person's key is missing."
                },
                "disabled": {
                 "type": "boolean"
                },
                "entries": {
                 "type": "integer"
                },
                "bytes": {
                 "type": "integer"
                },
                "quota": {
                 "type": [
                  "integer",
                  "null"
                 ],
                 "description": "The most bytes; null for no limit."
                }
               }
              }
             }
            }
           },
           "Quota": {
            "type": "integer",
            "minimum": 0,
            "description": "The most bytes; 0 for no limit."
           },
           "Erasure": {
            "type": "object",
            "required": [
             "person",
             "entries",
             "copies",
             "receipts",
             "tokens",
             "keys",
             "nodesWithin"
            ],
            "properties": {
             "person": {
              "type": "string"
             },
             "entries": {
              "type": "integer"
             },
             "copies": {
              "type": "integer"
             },
             "receipts": {
              "type": "integer"
             },
             "tokens": {
              "type": "integer"
             },
             "keys": {
              "type": "integer"
             },
             "nodesWithin": {
              "type": "integer"
             }
            }
           },
           "Time": {
            "type": "string",
            "format": "date-time"
           },
           "Named": {
            "type": "object",
            "required": [
             "name",
             "bundleIdentifier"
            ],
            "properties": {
             "name": {
              "type": "string"
             },
             "bundleIdentifier": {
              "type": "string"
             }
            }
           },
           "TypeList": {
            "type": "object",
            "required": [
             "types"
            ],
            "properties": {
             "types": {
              "type": "array",
              "items": {
               "type": "object",
               "required": [
                "type",
                "unit",
                "samples",
                "first",
                "last"
               ],
               "properties": {
                "type": {
                 "type": "string"
                },
                "unit": {
                 "type": [
                  "string",
                  "null"
                 ]
                },
                "samples": {
                 "type": "integer"
                },
                "first": {
                 "$ref": "#/components/schemas/Time"
                },
                "last": {
                 "$ref": "#/components/schemas/Time"
                }
               }
              }
             }
            }
           },
           "SourceList": {
            "type": "object",
            "required": [
             "type",
             "sources"
            ],
            "properties": {
             "type": {
              "type": [
               "string",
               "null"
              ]
             },
             "sources": {
              "type": "array",
              "items": {
               "type": "object",
               "required": [
                "name",
                "bundleIdentifier",
                "rank",
                "excluded",
                "samples",
                "first",
                "last"
               ],
               "properties": {
                "name": {
                 "type": "string"
                },
                "bundleIdentifier": {
                 "type": "string"
                },
                "rank": {
                 "type": "integer"
                },
                "excluded": {
                 "type": "boolean"
                },
                "samples": {
                 "type": "integer"
                },
                "first": {
                 "$ref": "#/components/schemas/Time"
                },
                "last": {
                 "$ref": "#/components/schemas/Time"
                },
                "reason": {
                 "type": "string"
                },
                "excludedFrom": {
                 "type": "array",
                 "items": {
                  "type": "string"
                 }
                }
               }
              }
             }
            }
           },
           "Bucket": {
            "type": "object",
            "properties": {
             "start": {
              "$ref": "#/components/schemas/Time"
             },
             "end": {
              "$ref": "#/components/schemas/Time"
             },
             "sum": {
              "type": [
               "number",
               "null"
              ]
             },
             "average": {
              "type": [
               "number",
               "null"
              ]
             },
             "minimum": {
              "type": [
               "number",
               "null"
              ]
             },
             "maximum": {
              "type": [
               "number",
               "null"
              ]
             },
             "mostRecent": {
              "type": [
               "number",
               "null"
              ]
             },
             "seconds": {
              "type": "object",
              "additionalProperties": {
               "type": "number"
              }
             },
             "count": {
              "type": "integer"
             },
             "counts": {
              "type": "object",
              "additionalProperties": {
               "type": "integer"
              }
             },
             "day": {
              "type": "string",
              "format": "date"
             },
             "night": {
              "type": "object",
              "required": [
               "start",
               "end"
              ],
              "properties": {
               "start": {
                "$ref": "#/components/schemas/Time"
               },
               "end": {
                "$ref": "#/components/schemas/Time"
               }
              }
             },
             "nights": {
              "type": "integer"
             },
             "nightsAsleepUnknown": {
              "type": "integer"
             },
             "asleep": {
              "type": [
               "number",
               "null"
              ]
             },
             "inBed": {
              "type": [
               "number",
               "null"
              ]
             },
             "naps": {
              "type": "integer"
             },
             "napSeconds": {
              "type": "number"
             },
             "sources": {
              "type": "array",
              "items": {
               "allOf": [
                {
                 "$ref": "#/components/schemas/Named"
                },
                {
                 "$ref": "#/components/schemas/Bucket"
                }
               ]
              }
             }
            }
           },
           "Excluded": {
            "type": "array",
            "description": "Sources that are left out of the type's statistics.",
            "items": {
             "type": "object",
             "required": [
              "name",
              "bundleIdentifier",
              "reason"
             ],
             "properties": {
              "name": {
               "type": "string"
              },
              "bundleIdentifier": {
               "type": "string"
              },
              "reason": {
               "type": "string"
              },
              "recorded": {
               "type": "number"
              }
             }
            }
           },
           "Skipped": {
            "type": "object",
            "description": "The numbers of samples that can't be counted.",
            "properties": {
             "unconvertible": {
              "type": "integer"
             },
             "malformed": {
              "type": "integer"
             },
             "notBegun": {
              "type": "integer"
             }
            }
           },
           "Statistics": {
            "type": "object",
            "required": [
             "type",
             "unit",
             "timeZone",
             "buckets"
            ],
            "properties": {
             "type": {
              "type": "string"
             },
             "unit": {
              "type": "string"
             },
             "timeZone": {
              "type": "string"
             },
             "nightBelongsTo": {
              "type": "string"
             },
             "buckets": {
              "type": "array",
              "items": {
               "$ref": "#/components/schemas/Bucket"
              }
             },
             "excluded": {
              "$ref": "#/components/schemas/Excluded"
             },
             "skipped": {
              "$ref": "#/components/schemas/Skipped"
             }
            }
           },
           "Explanation": {
            "type": "object",
            "required": [
             "type",
             "unit",
             "day",
             "timeZone",
             "naive",
             "merged",
             "sources"
            ],
            "properties": {
             "type": {
              "type": "string"
             },
             "unit": {
              "type": "string"
             },
             "day": {
              "type": "string",
              "format": "date"
             },
             "timeZone": {
              "type": "string"
             },
             "naive": {
              "type": "number"
             },
             "merged": {
              "type": "number"
             },
             "sources": {
              "type": "array",
              "items": {
               "type": "object",
               "required": [
                "name",
                "bundleIdentifier",
                "contributed",
                "setAside"
               ],
               "properties": {
                "name": {
                 "type": "string"
                },
                "bundleIdentifier": {
                 "type": "string"
                },
                "contributed": {
                 "type": "number"
                },
                "setAside": {
                 "type": "number"
                }
               }
              }
             },
             "segments": {
              "type": "array",
              "items": {
               "type": "object",
               "required": [
                "start",
                "end",
                "source",
                "value"
               ],
               "properties": {
                "start": {
                 "$ref": "#/components/schemas/Time"
                },
                "end": {
                 "$ref": "#/components/schemas/Time"
                },
                "source": {
                 "type": "string"
                },
                "value": {
                 "type": "number"
                }
               }
              }
             },
             "excluded": {
              "$ref": "#/components/schemas/Excluded"
             },
             "skipped": {
              "$ref": "#/components/schemas/Skipped"
             }
            }
           },
           "Summary": {
            "type": "object",
            "required": [
             "day",
             "freshness",
             "highlights",
             "interval",
             "period",
             "sentence",
             "tiles",
             "timeZone",
             "workouts"
            ],
            "properties": {
             "day": {
              "type": "string",
              "format": "date"
             },
             "freshness": {
              "type": "object"
             },
             "interval": {
              "type": "object"
             },
             "highlights": {
              "type": "array",
              "items": {
               "type": "object"
              }
             },
             "night": {
              "type": "object"
             },
             "nights": {
              "type": "object"
             },
             "period": {
              "type": "string",
              "enum": [
               "day",
               "week",
               "month",
               "year"
              ]
             },
             "provenance": {
              "type": "string"
             },
             "ringDays": {
              "type": "object"
             },
             "rings": {
              "type": "object"
             },
             "sentence": {
              "type": "string"
             },
             "stepGoal": {
              "type": "number"
             },
             "steps": {
              "type": "object"
             },
             "tiles": {
              "type": "array",
              "items": {
               "type": "object"
              }
             },
             "timeZone": {
              "type": "string"
             },
             "workouts": {
              "type": "array",
              "items": {
               "type": "object"
              }
             }
            }
           },
           "Nights": {
            "type": "object",
            "required": [
             "nights"
            ],
            "properties": {
             "nights": {
              "type": "array",
              "items": {
               "type": "object",
               "required": [
                "day",
                "start",
                "end",
                "asleep",
                "inBed",
                "stages",
                "naps"
               ],
               "properties": {
                "day": {
                 "type": "string",
                 "format": "date"
                },
                "start": {
                 "$ref": "#/components/schemas/Time"
                },
                "end": {
                 "$ref": "#/components/schemas/Time"
                },
                "asleep": {
                 "type": [
                  "number",
                  "null"
                 ]
                },
                "inBed": {
                 "type": [
                  "number",
                  "null"
                 ]
                },
                "stages": {
                 "type": "object",
                 "description": "Seconds by stage.",
                 "additionalProperties": {
                  "type": "number"
                 }
                },
                "naps": {
                 "type": "array",
                 "items": {
                  "type": "object",
                  "required": [
                   "start",
                   "end",
                   "asleep"
                  ],
                  "properties": {
                   "start": {
                    "$ref": "#/components/schemas/Time"
                   },
                   "end": {
                    "$ref": "#/components/schemas/Time"
                   },
                   "asleep": {
                    "type": [
                     "number",
                     "null"
                    ]
                   }
                  }
                 }
                }
               }
              }
             }
            }
           },
           "Workouts": {
            "type": "object",
            "required": [
             "totals",
             "workouts"
            ],
            "properties": {
             "totals": {
              "type": "object",
              "description": "The number of workouts and sums over them; null if none has the value. The pace is that of the workouts with a distance.",
              "required": [
               "workouts",
               "duration",
               "energy",
               "distance",
               "pace"
              ],
              "properties": {
               "workouts": {
                "type": "integer"
               },
               "duration": {
                "type": "number"
               },
               "energy": {
                "type": [
                 "number",
                 "null"
                ]
               },
               "distance": {
                "type": [
                 "number",
                 "null"
                ]
               },
               "pace": {
                "type": [
                 "number",
                 "null"
                ]
               }
              }
             },
             "workouts": {
              "type": "array",
              "items": {
               "type": "object",
               "required": [
                "uuid",
                "activity",
                "start",
                "end",
                "duration",
                "source",
                "bundleIdentifier",
                "energy",
                "distance",
                "pace",
                "events",
                "routes",
                "routePoints"
               ],
               "properties": {
                "uuid": {
                 "type": "string",
                 "format": "uuid"
                },
                "activity": {
                 "type": "string"
                },
                "start": {
                 "$ref": "#/components/schemas/Time"
                },
                "end": {
                 "$ref": "#/components/schemas/Time"
                },
                "duration": {
                 "type": "number"
                },
                "source": {
                 "type": "string"
                },
                "bundleIdentifier": {
                 "type": "string"
                },
                "energy": {
                 "type": [
                  "number",
                  "null"
                 ]
                },
                "distance": {
                 "type": [
                  "number",
                  "null"
                 ]
                },
                "pace": {
                 "type": [
                  "number",
                  "null"
                 ]
                },
                "events": {
                 "type": "integer"
                },
                "routes": {
                 "type": "integer"
                },
                "routePoints": {
                 "type": "integer"
                }
               }
              }
             }
            }
           },
           "Samples": {
            "type": "object",
            "required": [
             "type",
             "unit",
             "samples",
             "next"
            ],
            "properties": {
             "type": {
              "type": "string"
             },
             "unit": {
              "type": [
               "string",
               "null"
              ]
             },
             "samples": {
              "type": "array",
              "items": {
               "type": "object",
               "required": [
                "uuid",
                "start",
                "end",
                "value",
                "unit",
                "source",
                "bundleIdentifier",
                "metadata"
               ],
               "properties": {
                "uuid": {
                 "type": "string",
                 "format": "uuid"
                },
                "start": {
                 "$ref": "#/components/schemas/Time"
                },
                "end": {
                 "type": [
                  "string",
                  "null"
                 ]
                },
                "value": {
                 "type": [
                  "number",
                  "null"
                 ]
                },
                "valueName": {
                 "type": "string"
                },
                "unit": {
                 "type": [
                  "string",
                  "null"
                 ]
                },
                "source": {
                 "type": "string"
                },
                "bundleIdentifier": {
                 "type": "string"
                },
                "metadata": {
                 "type": "object"
                },
                "detail": {
                 "type": "object",
                 "description": "The content of an audiogram or a prescription."
                }
               }
              }
             },
             "next": {
              "type": [
               "string",
               "null"
              ]
             }
            }
           },
           "Changes": {
            "type": "object",
            "required": [
             "cursor",
             "more",
             "samples",
             "deletions"
            ],
            "properties": {
             "cursor": {
              "type": "string"
             },
             "more": {
              "type": "boolean"
             },
             "samples": {
              "type": "array",
              "items": {
               "type": "object",
               "required": [
                "type",
                "day",
                "start",
                "uuid"
               ],
               "properties": {
                "type": {
                 "type": "string"
                },
                "day": {
                 "type": "string",
                 "format": "date"
                },
                "start": {
                 "$ref": "#/components/schemas/Time"
                },
                "end": {
                 "$ref": "#/components/schemas/Time"
                },
                "value": {
                 "type": "number"
                },
                "valueName": {
                 "type": "string"
                },
                "unit": {
                 "type": "string"
                },
                "source": {
                 "type": "string"
                },
                "bundleIdentifier": {
                 "type": "string"
                },
                "sourceVersion": {
                 "type": "string"
                },
                "device": {
                 "type": "object"
                },
                "uuid": {
                 "type": "string",
                 "format": "uuid"
                },
                "created": {
                 "$ref": "#/components/schemas/Time"
                },
                "metadata": {
                 "type": "object"
                },
                "members": {
                 "type": "array",
                 "items": {
                  "type": "string"
                 }
                },
                "detail": {
                 "type": "object"
                }
               }
              }
             },
             "deletions": {
              "type": "array",
              "items": {
               "type": "object",
               "required": [
                "uuid",
                "type"
               ],
               "properties": {
                "uuid": {
                 "type": "string",
                 "format": "uuid"
                },
                "type": {
                 "type": [
                  "string",
                  "null"
                 ]
                },
                "syncIdentifier": {
                 "type": "string"
                }
               }
              }
             }
            }
           },
           "Receipt": {
            "type": "object",
            "description": "What became of the records of a request; the counts add up to `received`. Nothing is answered before it is stored. A format can have further fields for its app.",
            "required": [
             "receipt",
             "received",
             "accepted",
             "duplicate",
             "changed",
             "deleted",
             "rejected",
             "totals",
             "provisional",
             "unknown",
             "records",
             "records_omitted"
            ],
            "properties": {
             "receipt": {
              "type": [
               "string",
               "null"
              ],
              "description": "Null if the request only asked for a cursor."
             },
             "received": {
              "type": "integer"
             },
             "accepted": {
              "type": "integer"
             },
             "duplicate": {
              "type": "integer",
              "description": "Records that the store already had."
             },
             "changed": {
              "type": "integer",
              "description": "Records that replaced an older version."
             },
             "deleted": {
              "type": "integer"
             },
             "rejected": {
              "type": "integer",
              "description": "Invalid records. Each is listed with its reason."
             },
             "totals": {
              "type": "integer",
              "description": "Totals that are kept apart from samples."
             },
             "provisional": {
              "type": "integer",
              "description": "Records without an end, which a better record replaces."
             },
             "unknown": {
              "type": "integer",
              "description": "Records of an unknown kind."
             },
             "records": {
              "type": "array",
              "description": "The rejected, changed and unknown records.",
              "items": {
               "type": "object",
               "required": [
                "index",
                "id",
                "result",
                "reason",
                "field"
               ],
               "properties": {
                "index": {
                 "type": "integer"
                },
                "id": {
                 "type": [
                  "string",
                  "null"
                 ]
                },
                "result": {
                 "type": "string"
                },
                "reason": {
                 "type": [
                  "string",
                  "null"
                 ]
                },
                "field": {
                 "type": [
                  "string",
                  "null"
                 ]
                }
               }
              }
             },
             "records_omitted": {
              "type": "integer"
             },
             "completions": {
              "type": "array",
              "description": "The types of which the sender stated, with this request, that it has sent all samples, and of which an export has samples in that time. Left out without any.",
              "items": {
               "type": "object",
               "required": [
                "type",
                "exported",
                "taken_over",
                "unmatched"
               ],
               "properties": {
                "type": {
                 "type": "string"
                },
                "exported": {
                 "type": "integer",
                 "description": "The exported samples that were compared."
                },
                "taken_over": {
                 "type": "integer",
                 "description": "Those that the sender doesn't have and that were removed."
                },
                "unmatched": {
                 "type": "integer",
                 "description": "Those that the sender doesn't have and that stay, being too many."
                }
               }
              }
             }
            }
           },
           "Refusal": {
            "type": "object",
            "required": [
             "error",
             "detail",
             "status_code"
            ],
            "properties": {
             "error": {
              "type": "string"
             },
             "detail": {
              "type": "string"
             },
             "status_code": {
              "type": "integer"
             }
            }
           }
          }
         }
        }

        """##
}
