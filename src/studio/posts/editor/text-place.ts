import { EditHistory } from './blocks/edit-history'

/** The caret and the undo history of a text, so that one editor continues where the other left off. */
export class TextPlace {
  /** Undefined before there was a caret. */
  offset: number | undefined
  readonly history = new EditHistory()

  note(offset: number): void {
    this.offset = offset
  }
}
