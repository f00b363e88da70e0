/** The event that SDKs send when code evaluates a flag, with the value. */
export const exposure = {
  event: '$feature_flag_called',
  flag: '$feature_flag',
  value: '$feature_flag_response',
  /** The event that a browser sends when a variant was in view; it has the same properties. */
  seen: '$feature_flag_seen',
  /** The library of events about pages that Tilth serves. */
  site: 'tilth-site',
  /** The prefix of a flag's key in the properties of any event: the flag's value at that time. */
  carried: '$feature/',
  /** The prefix of flags that Tilth keeps to target surveys. Evaluating one exposes no one to a variant. */
  surveyTargeting: 'survey-targeting-',
} as const
