export { metadata, ExplainPage as default } from '#studio/flags/explain/ExplainPage'
