import { choiceInWords, type KindResult, removedLabel } from '../kind-result'

export const ranking: KindResult<'ranking'> = {
  /** The choice with the best mean rank comes first. */
  draw({ choices }, { ranking: results = [] }) {
    const byId = new Map(results.map((one) => [one.id, one]))
    const ids = new Set(choices.map(({ id }) => id))
    const gone = results
      .filter(({ id, ranked }) => !ids.has(id) && ranked > 0)
      .map(({ id, text }) => ({ id, text: removedLabel(text) }))
    const rows = [...choices, ...gone].map(({ id, text }) => ({
      key: id,
      label: text,
      value: byId.get(id)?.ranked ?? 0,
      answer: id,
      meanRank: byId.get(id)?.meanRank ?? undefined,
    }))
    return {
      shape: 'ranking',
      rows: rows.toSorted((one, other) => (one.meanRank ?? Infinity) - (other.meanRank ?? Infinity)),
    }
  },
  valueInWords(value, question) {
    const name = choiceInWords(value, question)
    return name && `${name} first`
  },
}
