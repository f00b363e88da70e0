import { setTimeout as delay } from 'node:timers/promises'
import { type ProductProcess, secretKey, writeKey } from '../crashlab/product-process'

/** A survey that was launched, and the answers to it that were acknowledged. */
export class SurveyAnswers {
  acknowledged = 0

  private constructor(
    private readonly tilth: ProductProcess,
    private readonly survey: string,
  ) {}

  static async toANewSurvey(tilth: ProductProcess): Promise<SurveyAnswers> {
    const content = { questions: [{ id: 'why', kind: 'open', text: 'Why?' }] }
    const { id } = (await callApi(tilth, '/surveys', { name: 'Why?', content })) as { id: string } // as openapi.json says
    await callApi(tilth, `/surveys/${id}/launch`, {})
    return new SurveyAnswers(tilth, id)
  }

  async sendInTurn(isOver: () => boolean, onFailure: (failure: string) => void): Promise<void> {
    while (!isOver()) {
      const status = await this.sendOne().catch(() => 0)
      if (status === 200) this.acknowledged++
      else onFailure(`an answer to a survey was answered ${status || 'nothing'}`)
      await delay(500)
    }
  }

  private async sendOne(): Promise<number> {
    const id = crypto.randomUUID()
    const properties = {
      distinct_id: id,
      $survey_id: this.survey,
      $survey_submission_id: id,
      $survey_response_why: 'Because it is there.',
    }
    const sent = await fetch(`${this.tilth.address}/i/v0/e/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: writeKey, uuid: id, event: 'survey sent', properties }),
    })
    await sent.arrayBuffer()
    return sent.status
  }
}

async function callApi(tilth: ProductProcess, path: string, input: unknown): Promise<unknown> {
  const answer = await fetch(`${tilth.address}/api/v1/projects/acme${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  })
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`)
  return await answer.json()
}
