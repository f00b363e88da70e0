export { generateMetadata, CodePage as default } from '#studio/flags/code/CodePage'
