(function () {
  "use strict";
  document.querySelectorAll("table[data-sortable]").forEach(function (table) {
    var body = table.tBodies[0];
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (head, column) {
      if (head.hasAttribute("data-fixed")) { return; }
      var button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      while (head.firstChild) { button.appendChild(head.firstChild); }
      head.appendChild(button);
      button.addEventListener("click", function () {
        var down = head.getAttribute("aria-sort") === "ascending";
        Array.prototype.forEach.call(table.tHead.rows[0].cells, function (other) {
          other.removeAttribute("aria-sort");
        });
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        var rows = Array.prototype.slice.call(body.rows);
        var key = function (row) {
          var cell = row.cells[column];
          var value = cell.getAttribute("data-key");
          if (value !== null) { return Number(value); }
          var text = cell.firstChild ? cell.firstChild.textContent.trim() : "";
          return /^[\d,]+$/.test(text) ? Number(text.replace(/,/g, "")) : cell.textContent.trim().toLowerCase();
        };
        rows.sort(function (a, b) {
          var x = key(a), y = key(b);
          var order = typeof x === "number" && typeof y === "number"
            ? x - y : String(x).localeCompare(String(y), undefined, { numeric: true });
          return down ? -order : order;
        });
        rows.forEach(function (row) { body.appendChild(row); });
      });
    });
  });
  document.querySelectorAll("table[data-filter]").forEach(function (table) {
    var rows = Array.prototype.slice.call(table.tBodies[0].rows);
    if (rows.length < 8) { return; }
    var label = document.createElement("label");
    label.className = "filter";
    label.appendChild(document.createTextNode(table.getAttribute("data-filter") + " "));
    var input = document.createElement("input");
    input.type = "search";
    var count = document.createElement("span");
    count.setAttribute("role", "status");
    label.appendChild(input);
    label.appendChild(count);
    table.parentNode.parentNode.insertBefore(label, table.parentNode);
    input.addEventListener("input", function () {
      var wanted = input.value.trim().toLowerCase();
      var shown = 0;
      rows.forEach(function (row) {
        row.hidden = wanted !== "" && row.textContent.toLowerCase().indexOf(wanted) < 0;
        if (!row.hidden) { shown += 1; }
      });
      count.textContent = wanted === "" ? "" : shown + " / " + rows.length;
    });
  });
  var map = document.getElementById("map");
  if (map) {
    var squares = Array.prototype.slice.call(map.querySelectorAll("a.q"));
    var named = map.querySelector(".named");
    var show = function (square) {
      var rule = document.querySelector(square.getAttribute("href") + " .rule");
      named.textContent = "";
      var name = document.createElement("b");
      name.textContent = square.title;
      named.appendChild(name);
      if (rule) {
        var words = rule.cloneNode(true);
        words.querySelectorAll("b, small").forEach(function (part) { part.remove(); });
        named.appendChild(document.createTextNode(". " + words.textContent + " "));
      }
      var more = document.createElement("a");
      more.href = square.getAttribute("href");
      more.textContent = named.getAttribute("data-more");
      named.appendChild(more);
    };
    squares.forEach(function (square, place) {
      square.tabIndex = place === 0 ? 0 : -1;
      square.addEventListener("focus", function () { show(square); });
      square.addEventListener("mouseenter", function () { show(square); });
      square.addEventListener("click", function (event) {
        if (event.pointerType === "touch") { event.preventDefault(); show(square); }
      });
      square.addEventListener("keydown", function (event) {
        var step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        var next = event.key === "Home" ? squares[0] : event.key === "End"
          ? squares[squares.length - 1] : step && squares[place + step];
        if (!next) { return; }
        event.preventDefault();
        square.tabIndex = -1;
        next.tabIndex = 0;
        next.focus();
      });
    });
  }
  var folded = [];
  window.addEventListener("beforeprint", function () {
    folded = Array.prototype.slice.call(document.querySelectorAll("details.fold:not(.screen-only):not([open])"));
    folded.forEach(function (item) { item.open = true; });
  });
  window.addEventListener("afterprint", function () {
    folded.forEach(function (item) { item.open = false; });
  });
})();
