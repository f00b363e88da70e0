export { generateMetadata, ExplainFlagPage as default } from '#studio/flags/explain/ExplainFlagPage'
