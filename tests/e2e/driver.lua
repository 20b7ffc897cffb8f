-- Drives a real Neovim and reports what a user would see.
--
-- nvim --headless --clean -n -l driver.lua WORKSPACE CHECK SNIPPET...
-- The snippets are what a user has in init.lua. The report goes to standard output as JSON; judging
-- it is the business of the test.

local workspace, check = arg[1], arg[2]
local SECONDS = 30

local function wait(what, condition)
  local value
  local done = vim.wait(SECONDS * 1000, function()
    value = condition()
    return value and true or false
  end, 20)
  assert(done, "never came: " .. what)
  return value
end

local function edit(name)
  vim.cmd.edit(vim.fn.fnameescape(workspace .. "/" .. name))
  return vim.api.nvim_get_current_buf()
end

local function client_of(buffer)
  return wait("a client", function()
    local client = vim.lsp.get_clients({ bufnr = buffer, name = "skillgauge" })[1]
    return client and client.initialized and client
  end)
end

local function lines(buffer)
  return vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
end

-- The diagnostics with a code, once there is one.
local function found(buffer, code)
  return wait("diagnostic " .. code, function()
    local all = vim.tbl_filter(function(item)
      return item.code == code
    end, vim.diagnostic.get(buffer))
    return #all > 0 and all
  end)
end

local function cursor_at(buffer, needle)
  for number, line in ipairs(lines(buffer)) do
    local column = line:find(needle, 1, true)
    if column then
      vim.api.nvim_win_set_cursor(0, { number, column - 1 })
      return
    end
  end
  error("not in the buffer: " .. needle)
end

local checks = {}

function checks.diagnostics()
  local buffer = edit("demo/SKILL.md")
  local client = client_of(buffer)
  local item = found(buffer, "F011")[1]
  local pulled = vim.lsp.diagnostic.get_namespace(client.id, true)
  return {
    range = { item.lnum, item.col, item.end_lnum, item.end_col },
    source = item.source,
    severity = item.severity,
    pulled = #vim.diagnostic.get(buffer, { namespace = pulled }),
    total = #vim.diagnostic.get(buffer),
    root = client.root_dir,
    encoding = client.offset_encoding,
  }
end

function checks.quick_fix()
  local buffer = edit("demo/SKILL.md")
  client_of(buffer)
  found(buffer, "F011")
  vim.api.nvim_win_set_cursor(0, { 3, 0 }) -- the fix is offered on the whole line
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action)
      return action.title:find("Quote the value", 1, true) ~= nil
    end,
  })
  wait("the fix", function()
    return vim.bo[buffer].modified
  end)
  wait("the end of the finding", function()
    return vim.tbl_isempty(vim.tbl_filter(function(item)
      return item.code == "F011"
    end, vim.diagnostic.get(buffer)))
  end)
  return { lines = lines(buffer) }
end

function checks.fix_on_save()
  local buffer = edit("demo/SKILL.md")
  client_of(buffer)
  found(buffer, "F011")
  vim.cmd.write()
  return { lines = lines(buffer), modified = vim.bo[buffer].modified }
end

function checks.reading()
  local buffer = edit("other/SKILL.md")
  local client = client_of(buffer)
  cursor_at(buffer, "description")
  vim.lsp.buf.hover()
  local float = wait("the hover", function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= "" then
        return window
      end
    end
  end)
  local hover = table.concat(lines(vim.api.nvim_win_get_buf(float)), "\n")
  vim.api.nvim_win_close(float, true)

  vim.api.nvim_buf_set_lines(buffer, 3, 3, false, { "comp" })
  vim.api.nvim_win_set_cursor(0, { 4, 4 })
  local position = vim.lsp.util.make_position_params(0, client.offset_encoding)
  local reply = client:request_sync("textDocument/completion", position, SECONDS * 1000, buffer)
  local labels = vim.tbl_map(function(item)
    return item.label
  end, reply.result.items)
  vim.cmd.undo()

  cursor_at(buffer, "references/guide.md#setup")
  vim.lsp.buf.definition()
  wait("the other file", function()
    return vim.api.nvim_get_current_buf() ~= buffer
  end)
  return {
    hover = hover,
    labels = labels,
    file = vim.api.nvim_buf_get_name(0),
    line = vim.api.nvim_get_current_line(),
  }
end

function checks.rename()
  local buffer = edit("other/SKILL.md")
  client_of(buffer)
  cursor_at(buffer, "other")
  local renamed = workspace .. "/another"
  vim.lsp.buf.rename("another")
  wait("the new folder", function()
    return vim.uv.fs_stat(renamed)
  end)
  vim.cmd.wall()
  return { buffer = vim.api.nvim_buf_get_name(0), lines = lines(0) }
end

function checks.large()
  local buffer = edit("large/SKILL.md")
  local client = client_of(buffer)
  local count = vim.api.nvim_buf_line_count(buffer)
  found(buffer, "E101")
  local small = edit("demo/SKILL.md")
  local item = found(small, "F011")[1]
  return { lines = count, stopped = client:is_stopped(), line = item.lnum }
end

function checks.lens_and_hints()
  local buffer = edit("other/SKILL.md")
  local client = client_of(buffer)
  vim.cmd.doautocmd("BufEnter")
  local lenses = wait("a lens", function()
    local found = vim.lsp.codelens.get(buffer)
    return #found > 0 and found
  end)
  local hints = wait("hints", function()
    local found = vim.lsp.inlay_hint.get({ bufnr = buffer })
    return #found > 0 and found
  end)
  return { lens = lenses[1].command.title, hint = hints[1].inlay_hint.label, client = client.name }
end

-- The server's question is answered with its first button, whichever way it is asked.
function checks.lift()
  local question
  vim.fn.inputlist = function(shown)
    question = shown[1]
    return 1
  end
  vim.ui.select = function(items, options, choose)
    question = options.prompt
    choose(items[1], 1)
  end
  local progress = {}
  vim.api.nvim_create_autocmd("LspProgress", {
    callback = function(event)
      table.insert(progress, event.data.params.value.kind)
    end,
  })
  local buffer = edit("other/SKILL.md")
  client_of(buffer)
  cursor_at(buffer, "description")
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action)
      return action.title == "Run lift of this skill…"
    end,
  })
  wait("the end of the run", function()
    return progress[#progress] == "end"
  end)
  local cases = edit("other/evals/evals.json")
  client_of(cases)
  local results = wait("results", function()
    local all = vim.tbl_filter(function(item)
      return item.source == "skillgauge lift"
    end, vim.diagnostic.get(cases))
    return #all > 1 and all
  end)
  cursor_at(cases, '"a"')
  vim.lsp.buf.hover()
  local float = wait("the hover", function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= "" then
        return window
      end
    end
  end)
  return {
    question = question,
    progress = progress,
    results = vim.tbl_map(function(item)
      return { lnum = item.lnum + 1, message = item.message }
    end, results),
    hover = table.concat(lines(vim.api.nvim_win_get_buf(float)), "\n"),
  }
end

function checks.elsewhere()
  edit("notes.md")
  vim.wait(300)
  return { clients = #vim.lsp.get_clients() }
end

local done, report = pcall(function()
  for index = 3, #arg do
    dofile(arg[index])
  end
  return checks[check]()
end)
io.stdout:write(done and vim.json.encode(report) or vim.json.encode({ error = tostring(report) }))
io.stdout:write("\n")
vim.cmd("qall!")
