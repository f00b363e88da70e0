export { generateMetadata, ProposalPage as default } from '#studio/proposals/ProposalPage'
