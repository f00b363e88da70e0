/**
 * What only some surveys need. The widget loads it once one of those is due, or at the beginning if events decide when
 * one is.
 */
export { rareKinds } from '#surveys/run/rare-kinds'
export { arrangeContent } from '#surveys/run/session'
export { triggersOn } from '#surveys/run/triggers'
export { rareRules } from '#surveys/survey-styles'
