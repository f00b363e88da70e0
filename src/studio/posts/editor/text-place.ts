import { EditHistory } from './blocks/edit-history'

/** Where the caret is in a text and what can be undone of it, so that one editor goes on where the other left off. */
export class TextPlace {
  /** Undefined before there was a caret. */
  offset: number | undefined
  readonly history = new EditHistory()

  note(offset: number): void {
    this.offset = offset
  }
}
