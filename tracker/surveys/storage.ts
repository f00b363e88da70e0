import type { SubmissionStorage } from '#surveys/run/mounted-survey'

type StorageName = 'localStorage' | 'sessionStorage'

/** The value that a page of this site has stored under the name; undefined if storage is blocked. */
export function readStored(storage: StorageName, name: string): unknown {
  try {
    const stored = window[storage].getItem(name)
    return stored ? JSON.parse(stored) : undefined
  } catch {
    return undefined
  }
}

/** Stores a value; undefined removes it. What cannot be stored is forgotten with the page. */
export function writeStored(storage: StorageName, name: string, value: object | undefined): void {
  try {
    if (value) window[storage].setItem(name, JSON.stringify(value))
    else window[storage].removeItem(name)
  } catch {
    // blocked or full
  }
}

export function submissionStorage({ id }: { id: string }): SubmissionStorage {
  const name = `tilth_survey_${id}`
  return {
    read: () => readStored('sessionStorage', name),
    write: (submission) => writeStored('sessionStorage', name, submission),
  }
}
