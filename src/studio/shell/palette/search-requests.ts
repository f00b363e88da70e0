/** A person who types pauses about so long between letters. */
export const pauseMs = 150

interface SearchRequestsOptions<Answer> {
  ask: (text: string, signal: AbortSignal) => Promise<Answer>
  onAnswer: (answer: Answer, text: string) => void
  onFailure: () => void
}

/** Sends one request for each pause of typing and cancels it once its text is out of date. */
export class SearchRequests<Answer> {
  private timer: ReturnType<typeof setTimeout> | undefined
  private running: AbortController | undefined

  constructor(private readonly options: SearchRequestsOptions<Answer>) {}

  /** An empty text asks nothing. */
  type(text: string): void {
    this.cancel()
    if (text.trim() !== '') this.timer = setTimeout(() => void this.ask(text.trim()), pauseMs)
  }

  cancel(): void {
    clearTimeout(this.timer)
    this.running?.abort()
    this.running = undefined
  }

  private async ask(text: string): Promise<void> {
    const { ask, onAnswer, onFailure } = this.options
    const request = new AbortController()
    this.running = request
    try {
      const answer = await ask(text, request.signal)
      if (!request.signal.aborted) onAnswer(answer, text)
    } catch {
      if (!request.signal.aborted) onFailure()
    }
  }
}
