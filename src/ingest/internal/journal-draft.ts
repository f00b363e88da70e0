import type { PreparedEvent } from '#events/event'
import { formatJournalLine } from './journal-lines'
import { draftRecord } from './journal-records'

/** Longer appends become several records, because readers take the journal record by record. */
const maxRecordLength = 1024 ** 2

/**
 * Lines on their way into the journal. They are kept as the bytes of records, outside the heap, because the events of a
 * large request wait here for the disk.
 */
export class JournalDraft {
  readonly records: Buffer[] = []
  /** The number of lines. */
  events = 0
  readonly eventsByProject = new Map<number, number>()
  private text = ''

  /** Returns the draft of records that another thread has made of events of one project. */
  static ofRecords(
    records: readonly Buffer[],
    { projectId, events }: { projectId: number; events: number },
  ): JournalDraft {
    const draft = new JournalDraft()
    draft.records.push(...records)
    draft.events = events
    draft.eventsByProject.set(projectId, events)
    return draft
  }

  add(event: PreparedEvent): void {
    const line = formatJournalLine(event)
    if (this.text && this.text.length + line.length > maxRecordLength) this.endRecord()
    this.text = this.text ? `${this.text}\n${line}` : line
    this.events++
    const { projectId } = event
    this.eventsByProject.set(projectId, (this.eventsByProject.get(projectId) ?? 0) + 1)
  }

  /** Ends the last record. Returns the size of all. */
  finish(): number {
    if (this.text) this.endRecord()
    return this.records.reduce((sum, record) => sum + record.length, 0)
  }

  private endRecord(): void {
    this.records.push(draftRecord(this.text))
    this.text = ''
  }
}
