export { metadata, NewInsightPage as default } from '#studio/insights/NewInsightPage'
