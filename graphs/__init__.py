"""Who speaks when: the LangGraph workflows of the debate, the scenes, the chapter and the adventure."""
