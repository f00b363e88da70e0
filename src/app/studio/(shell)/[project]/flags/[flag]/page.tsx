export { generateMetadata, FlagPage as default } from '#studio/flags/FlagPage'
