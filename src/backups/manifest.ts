import { z } from 'zod'

/** Files that are cut into chunks together, one after the other: a part of the engine, a segment of the journal. */
const group = z.object({
  path: z.string(),
  /** Tells an unchanged group from a changed one without reading its content. Absent where nothing can tell. */
  mark: z.string().optional(),
  files: z.array(z.object({ path: z.string(), bytes: z.int().nonnegative(), mode: z.int() })),
  chunks: z.array(z.object({ name: z.string(), bytes: z.int().nonnegative() })),
})

/** Persons who were erased, by the numbers they were known under. It says nothing else of them. */
const erasure = z.object({ projectId: z.int(), numbers: z.array(z.uuid()), askedAt: z.iso.datetime() })

/** A query and the rows it was answered with when the snapshot was taken. */
const recordedAnswer = z.object({ question: z.string(), rows: z.array(z.record(z.string(), z.unknown())) })

export const pointSchema = z.object({
  at: z.iso.datetime(),
  journal: z.object({
    id: z.string(),
    /** Everything up to this record is in the engine. */
    storedUpTo: z.int(),
    /** The bytes of each file that belong to the snapshot; a file that was still written to goes on growing. */
    segments: z.array(z.object({ file: z.string(), bytes: z.int() })),
  }),
  engine: z.discriminatedUnion('form', [
    z.object({ form: z.literal('embedded'), version: z.string().optional(), steps: z.array(z.int()) }),
    z.object({ form: z.literal('at-rest') }),
    z.object({
      form: z.literal('remote'),
      version: z.string().optional(),
      steps: z.array(z.int()).optional(),
      /** Names the clone that the events are exported from; absent where there is none. */
      clone: z.string().optional(),
      /** Why there is none. */
      trouble: z.string().optional(),
    }),
  ]),
  /** The number of events of each project in the engine; absent where no engine was running. */
  projects: z.array(z.object({ id: z.int(), events: z.int() })).optional(),
  answers: z.array(recordedAnswer),
  /** Damage that was found when the snapshot was taken, one sentence each. */
  damage: z.array(z.string()).optional(),
  /** Data that could not be searched for damage then, and why. */
  unchecked: z.array(z.string()).optional(),
})

export const manifestSchema = z.object({
  format: z.literal(1),
  name: z.string(),
  /** The version of Tilth that wrote it. */
  tilth: z.string(),
  point: pointSchema,
  store: z.object({
    form: z.enum(['sqlite', 'postgres']),
    steps: z.array(z.string()),
    /** Rows by table. */
    rows: z.record(z.string(), z.int()),
    /** Checksums by table, independent of the order of rows; only of a store in Postgres. */
    checksums: z.record(z.string(), z.string()).optional(),
  }),
  erasures: z.array(erasure),
  groups: z.array(group),
  /** The parts of an installation that the snapshot does not hold, in words. */
  leftOut: z.array(z.string()),
  /** Damage that was there before the snapshot, in words; absent in a snapshot of sound data. */
  damage: z.array(z.string()).optional(),
  bytes: z.int(),
})

export type BackupPoint = z.output<typeof pointSchema>
export type RecordedAnswer = z.output<typeof recordedAnswer>
export type ErasureRecord = z.output<typeof erasure>
export type FileGroup = z.output<typeof group>
export type Manifest = z.output<typeof manifestSchema>

/** A list of erasures in a file. */
export const erasuresSchema = z.array(erasure)
